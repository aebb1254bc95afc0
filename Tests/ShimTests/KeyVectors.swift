// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Keys, signatures of the text "message" and certificates that OpenSSL made.
enum KeyVectors {
    static let message = Data("message".utf8)

    /// PKCS #1, 2048 bits.
    static let rsaPublicKey = data(
        """
        MIIBCgKCAQEAnDVvQu68Oh3maNT4+HYKpBV8JM8vOO69WjsVI6nOwTUrtwvDpcnCvBX3+AqIrBKXvy8k4ijbsgxYQpnbqpnO82ENbtN9
        8CC0od6cBtSFYopzq3yjp4ezbTb9zsI7nDtmApjLXbxYqgbgP+so8QTASEa+Ku8MVIMCqOyXz4/YdyR3mGTlk1gIJUP/JYNNbAcE3Wr0
        QVOEZVjc2A+IbmHabLPT012cST1MUVK/OpqZvNytzwJK+L/FpbmoP/wiXommTSlel3mnrpi2ZV/hw+pgsAvUjGnLs/kNPa9Pe2+sIS1N
        q/0D54zL/5VCziygQ84QF8/+N+VMsMMwSvSjWgAwpwIDAQAB
        """)

    /// PKCS #1 v1.5, SHA-256.
    static let rsaSignature = data(
        """
        aFfsjL8OEDkbmOnjNHROpzAJjrXCaFw4a/2iKP8aqfTJtGPukQTBbLib6WRQo3tcwzAaFkHG4TcFMzprxZJ8v38RQezmhQ9hyb1NmIZt
        A4m4P1amwoGCLqJcHhfyBr4DSmRQQPc7d+8hgKUMrPVa2OwdZr5FdlC5PQtAXNMp2ehT++VjTTAfZIxO0zCvYJFlu2mgTuZgpOkcCb4R
        KEnXbloJwr7cZMw+evRWLXyDTHx2zPJWq2jH4V/QcoYfuoDb50CC8QZk/JWfaZdGBO8s/TvRyoJPRO+3Jx0u1KGJfZBJk4DidqGJbz3d
        gI/v1ZBncT0oJjQ0PkgxqnkAloNV+g==
        """)

    /// PSS, SHA-384, a salt of 48 bytes.
    static let rsaPSSSignature = data(
        """
        HqruVofLLq/yVNCJ1T40NjqHGzBPKxwV7poQzRAqLim/dibwqPblv/5Vb5q/HxvboZB3kGADc0QDsXMWjSCM8nNzxHyNYpcwAljCo4qr
        xzOCE3tsOIds5bcEiiar4MBfK+SRx0YVu8w0LhTud+jBaNASCi4Wqc/mUDn0O2lRLmA/0/Z+uJfTqY4QUBkNsxTx7LDoiLEejkn7KbDq
        ij191KmSRqi7GySqkdswsb/5s5b/7AS/m/1KDy6n3hBaYNSHC9UKharkKJvnHHpOQb83Lyi82H33CU0f57agxrM3CRb/8Pu9kfe0wEYD
        WMYVfQ+Q4rvYuPQbDsqjvMALjfC7PA==
        """)

    /// ANSI X9.63.
    static let p256PublicKey = data(
        """
        BJPoWcHbLglX3FnaEShC1EATg5Kw6a3Y/eJ5sZ2cRkuuig6pRC1G+e4BOdts2l7FBWXp7V6smRjhCVjXwrSEZQk=
        """)

    /// DER, SHA-256.
    static let p256Signature = data(
        """
        MEUCICthUtTA/a9VKQo2J3OzADlfCkDsMHHZ78lYH6/9AQl/AiEA9akh1ic5f1qW/iWy62SUdsFXOCdEEb5TUWBJXvMH94g=
        """)

    /// ANSI X9.63.
    static let p384PublicKey = data(
        """
        BCMYB+zWPZQ/bUX1rytm5m3F49Zi9ms3Cvh8bj3PXK/SPPBrDaHfXcW6DXA9g1wRwwfTn1qRmps54U1vpySiWYTFdmqQgyEx9jdWo1br
        +oygxc8DY+9jrRzDbk2xOMchRA==
        """)

    /// DER, SHA-384.
    static let p384Signature = data(
        """
        MGYCMQDfs1bzA7lfZrv+EKcHhVgyJQI9tLu9Bw/wkK7B3EGtbuyQJc3/9dsvskdijuRaMdcCMQDxjLjyKtDF6KcEAygTd1eYV1CYEOgK
        kJme87BakC6Eh9FxDtKUJmRAr3YRfzxJVxg=
        """)

    /// ANSI X9.63.
    static let p521PublicKey = data(
        """
        BADKDpW4ceD3olIPt9guFdA7x74CZvK7vEUjfQKzHYJl7QLI+6PNDlWM8avHJmjCOuBzswWejKeNL1Ds1b84+ad6KwFu31iBIP4jR4jc
        pc1JgP3SI1ws8ir0NCCuWkqnUXlB2Qk5mpUWXY0sPPtMENiNb4i7ftG9U0THjMPwPQ6J/wdXsg==
        """)

    /// DER, SHA-512.
    static let p521Signature = data(
        """
        MIGIAkIAw7RBiXpVOy308UVY3Yx1yg0HiDpN6N2vAQknha9ait3eNkeYWDFZmyTMvu8HmTOT52W+Aa+jEnqqWrSxgkg+KaICQgEJT4KZ
        GYJw4SpZpdf61Gdnnmpv/IRk6iiUq04FQAe5OqyVSayLDFRe1r9EpNVX5BeUHZbh3ppxkMrd4T1wrdOxVw==
        """)

    /// For `rsaPublicKey`: C=DE, O="Example  Mail", OU=Keys, CN=anna.example.org, with an e-mail address.
    static let rsaCertificate = data(
        """
        MIIDxDCCAqygAwIBAgIFAKsSzTQwDQYJKoZIhvcNAQELBQAwcDELMAkGA1UEBhMCREUxFjAUBgNVBAoMDUV4YW1wbGUgIE1haWwxDTAL
        BgNVBAsMBEtleXMxGTAXBgNVBAMMEGFubmEuZXhhbXBsZS5vcmcxHzAdBgkqhkiG9w0BCQEWEGFubmFAZXhhbXBsZS5vcmcwIBcNMjYx
        MTIxMTUxOTA5WhgPMjEyNjEwMjgxNTE5MDlaMHAxCzAJBgNVBAYTAkRFMRYwFAYDVQQKDA1FeGFtcGxlICBNYWlsMQ0wCwYDVQQLDARL
        ZXlzMRkwFwYDVQQDDBBhbm5hLmV4YW1wbGUub3JnMR8wHQYJKoZIhvcNAQkBFhBhbm5hQGV4YW1wbGUub3JnMIIBIjANBgkqhkiG9w0B
        AQEFAAOCAQ8AMIIBCgKCAQEAnDVvQu68Oh3maNT4+HYKpBV8JM8vOO69WjsVI6nOwTUrtwvDpcnCvBX3+AqIrBKXvy8k4ijbsgxYQpnb
        qpnO82ENbtN98CC0od6cBtSFYopzq3yjp4ezbTb9zsI7nDtmApjLXbxYqgbgP+so8QTASEa+Ku8MVIMCqOyXz4/YdyR3mGTlk1gIJUP/
        JYNNbAcE3Wr0QVOEZVjc2A+IbmHabLPT012cST1MUVK/OpqZvNytzwJK+L/FpbmoP/wiXommTSlel3mnrpi2ZV/hw+pgsAvUjGnLs/kN
        Pa9Pe2+sIS1Nq/0D54zL/5VCziygQ84QF8/+N+VMsMMwSvSjWgAwpwIDAQABo2MwYTAvBgNVHREEKDAmghBtYWlsLmV4YW1wbGUub3Jn
        gRJzZWNvbmRAZXhhbXBsZS5vcmcwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUIHqyZrN3Q6/fXGTCJnh2bHd0OukwDQYJKoZIhvcN
        AQELBQADggEBABa25pd/HsgZgi7KK5cb1udunxw7YrAvEC5ak4t79pYFIj+HtPLh3IBTCqxZGp5WFeQ/NpQYElZSkZvu1GXiUVarnZj/
        C6GJpcUGuAFOXboRDX+wfL+fFsZknh5Fp3x0WepaubSXcIKQdIf0kLEjZJgLZ9IyRFcZUc4+jrHgf5MtY+jv6Q20yEi3fKWbBzVlQOb0
        cpzAuRkc2rNC2TjWFPhZCDrrpzAcWE9fM5tALv4VRzcLBY0iKyD5jsXgZbK9cVHnCpvZExY48dyevmNELXJnuoLiheJCrIcljNq88ijK
        FiD5dnu4jQkbiVVvp5EHNWyE6AmzFQiU/+NwSL0fNQ8=
        """)

    /// For `p256PublicKey`, with the same names.
    static let p256Certificate = data(
        """
        MIICOTCCAd6gAwIBAgIFAKsSzTQwCgYIKoZIzj0EAwIwcDELMAkGA1UEBhMCREUxFjAUBgNVBAoMDUV4YW1wbGUgIE1haWwxDTALBgNV
        BAsMBEtleXMxGTAXBgNVBAMMEGFubmEuZXhhbXBsZS5vcmcxHzAdBgkqhkiG9w0BCQEWEGFubmFAZXhhbXBsZS5vcmcwIBcNMjYxMTIx
        MTUxOTA5WhgPMjEyNjEwMjgxNTE5MDlaMHAxCzAJBgNVBAYTAkRFMRYwFAYDVQQKDA1FeGFtcGxlICBNYWlsMQ0wCwYDVQQLDARLZXlz
        MRkwFwYDVQQDDBBhbm5hLmV4YW1wbGUub3JnMR8wHQYJKoZIhvcNAQkBFhBhbm5hQGV4YW1wbGUub3JnMFkwEwYHKoZIzj0CAQYIKoZI
        zj0DAQcDQgAEk+hZwdsuCVfcWdoRKELUQBODkrDprdj94nmxnZxGS66KDqlELUb57gE522zaXsUFZentXqyZGOEJWNfCtIRlCaNjMGEw
        LwYDVR0RBCgwJoIQbWFpbC5leGFtcGxlLm9yZ4ESc2Vjb25kQGV4YW1wbGUub3JnMA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYEFKJ0
        wgR4V+rlLNBlateQhugUVTosMAoGCCqGSM49BAMCA0kAMEYCIQDDaaucjaYCE9ClqZ/Cf5ve4gaIqSTBpj9UFIa4vv5NRAIhAKu0oSet
        hBSn5iSzKeZQsKSdaXtPj1fqT9DZMHzeDeMt
        """)

    private static func data(_ text: String) -> Data {
        Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
    }
}
