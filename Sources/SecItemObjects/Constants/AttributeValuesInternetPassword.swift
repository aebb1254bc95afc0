// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Values of `kSecAttrProtocol` and `kSecAttrAuthenticationType`. The codes have four characters, some of them blanks.

import Foundation

// MARK: - Protocols

/// The protocol is FTP.
public nonisolated(unsafe) let kSecAttrProtocolFTP: CFString = "ftp "

/// The protocol is an FTP account at a client.
public nonisolated(unsafe) let kSecAttrProtocolFTPAccount: CFString = "ftpa"

/// The protocol is HTTP.
public nonisolated(unsafe) let kSecAttrProtocolHTTP: CFString = "http"

/// The protocol is IRC.
public nonisolated(unsafe) let kSecAttrProtocolIRC: CFString = "irc "

/// The protocol is NNTP.
public nonisolated(unsafe) let kSecAttrProtocolNNTP: CFString = "nntp"

/// The protocol is POP3.
public nonisolated(unsafe) let kSecAttrProtocolPOP3: CFString = "pop3"

/// The protocol is SMTP.
public nonisolated(unsafe) let kSecAttrProtocolSMTP: CFString = "smtp"

/// The protocol is SOCKS.
public nonisolated(unsafe) let kSecAttrProtocolSOCKS: CFString = "sox "

/// The protocol is IMAP.
public nonisolated(unsafe) let kSecAttrProtocolIMAP: CFString = "imap"

/// The protocol is LDAP.
public nonisolated(unsafe) let kSecAttrProtocolLDAP: CFString = "ldap"

/// The protocol is AFP over AppleTalk.
public nonisolated(unsafe) let kSecAttrProtocolAppleTalk: CFString = "atlk"

/// The protocol is AFP over TCP.
public nonisolated(unsafe) let kSecAttrProtocolAFP: CFString = "afp "

/// The protocol is Telnet.
public nonisolated(unsafe) let kSecAttrProtocolTelnet: CFString = "teln"

/// The protocol is SSH.
public nonisolated(unsafe) let kSecAttrProtocolSSH: CFString = "ssh "

/// The protocol is FTP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolFTPS: CFString = "ftps"

/// The protocol is HTTP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolHTTPS: CFString = "htps"

/// The protocol is a proxy for HTTP.
public nonisolated(unsafe) let kSecAttrProtocolHTTPProxy: CFString = "htpx"

/// The protocol is a proxy for HTTPS.
public nonisolated(unsafe) let kSecAttrProtocolHTTPSProxy: CFString = "htsx"

/// The protocol is a proxy for FTP.
public nonisolated(unsafe) let kSecAttrProtocolFTPProxy: CFString = "ftpx"

/// The protocol is SMB.
public nonisolated(unsafe) let kSecAttrProtocolSMB: CFString = "smb "

/// The protocol is RTSP.
public nonisolated(unsafe) let kSecAttrProtocolRTSP: CFString = "rtsp"

/// The protocol is a proxy for RTSP.
public nonisolated(unsafe) let kSecAttrProtocolRTSPProxy: CFString = "rtsx"

/// The protocol is DAAP.
public nonisolated(unsafe) let kSecAttrProtocolDAAP: CFString = "daap"

/// The protocol is remote Apple events.
public nonisolated(unsafe) let kSecAttrProtocolEPPC: CFString = "eppc"

/// The protocol is IPP.
public nonisolated(unsafe) let kSecAttrProtocolIPP: CFString = "ipp "

/// The protocol is NNTP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolNNTPS: CFString = "ntps"

/// The protocol is LDAP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolLDAPS: CFString = "ldps"

/// The protocol is Telnet over TLS.
public nonisolated(unsafe) let kSecAttrProtocolTelnetS: CFString = "tels"

/// The protocol is IMAP over TLS.
public nonisolated(unsafe) let kSecAttrProtocolIMAPS: CFString = "imps"

/// The protocol is IRC over TLS.
public nonisolated(unsafe) let kSecAttrProtocolIRCS: CFString = "ircs"

/// The protocol is POP3 over TLS.
public nonisolated(unsafe) let kSecAttrProtocolPOP3S: CFString = "pops"

// MARK: - Authentication types

/// Logs in with NTLM.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeNTLM: CFString = "ntlm"

/// Logs in with the scheme of the Microsoft Network.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeMSN: CFString = "msna"

/// Logs in with Distributed Password Authentication.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeDPA: CFString = "dpaa"

/// Logs in with Remote Password Authentication.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeRPA: CFString = "rpaa"

/// Logs in with HTTP basic authentication.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"

/// Logs in with HTTP digest authentication.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"

/// Logs in through a form on a web page.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"

/// Logs in with whatever the protocol does by default.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeDefault: CFString = "dflt"
