// SPDX-License-Identifier: Apache-2.0

// Stores a password in the keychain, reads it back and deletes it, through cgo.
//
// Build: CGO_CFLAGS="$(pkg-config --cflags security)" CGO_LDFLAGS="$(pkg-config --libs security)" go build keychain.go
package main

// #include <Security/Security.h>
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"os"
	"unsafe"
)

func text(value string) unsafe.Pointer {
	bytes := C.CString(value)
	defer C.free(unsafe.Pointer(bytes))
	return unsafe.Pointer(C.CFStringCreateWithCString(nil, bytes, C.kCFStringEncodingUTF8))
}

func item() C.CFMutableDictionaryRef {
	made := C.CFDictionaryCreateMutable(nil, 0, &C.kCFTypeDictionaryKeyCallBacks, &C.kCFTypeDictionaryValueCallBacks)
	set(made, C.kSecClass, unsafe.Pointer(C.kSecClassGenericPassword))
	service, account := text("org.example.go"), text("anna")
	set(made, C.kSecAttrService, service)
	set(made, C.kSecAttrAccount, account)
	C.CFRelease(C.CFTypeRef(service))
	C.CFRelease(C.CFTypeRef(account))
	return made
}

func set(item C.CFMutableDictionaryRef, key C.CFStringRef, value unsafe.Pointer) {
	C.CFDictionarySetValue(item, unsafe.Pointer(key), value)
}

func main() {
	item := item()
	defer C.CFRelease(C.CFTypeRef(item))
	secret := []byte("secret")
	data := C.CFDataCreate(nil, (*C.UInt8)(&secret[0]), C.CFIndex(len(secret)))
	set(item, C.kSecValueData, unsafe.Pointer(data))
	C.CFRelease(C.CFTypeRef(data))
	added := C.SecItemAdd(C.CFDictionaryRef(item), nil)
	C.CFDictionaryRemoveValue(item, unsafe.Pointer(C.kSecValueData))
	set(item, C.kSecReturnData, unsafe.Pointer(C.kCFBooleanTrue))
	var result C.CFTypeRef
	status := C.SecItemCopyMatching(C.CFDictionaryRef(item), &result)
	if status != C.errSecSuccess {
		fmt.Println("not found:", status)
		os.Exit(1)
	}
	found := C.CFDataRef(result)
	fmt.Printf("added: %d, found: %s\n", added, C.GoBytes(unsafe.Pointer(C.CFDataGetBytePtr(found)), C.int(C.CFDataGetLength(found))))
	C.CFRelease(result)
	C.CFDictionaryRemoveValue(item, unsafe.Pointer(C.kSecReturnData))
	if C.SecItemDelete(C.CFDictionaryRef(item)) != C.errSecSuccess {
		os.Exit(1)
	}
}
