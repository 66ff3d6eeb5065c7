#!/bin/sh
# Makes the files of this directory with OpenSSL 3. Their keys protect nothing.
set -e
cd "$(dirname "$0")"
work=$(mktemp -d)
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$work/ca.key" -out "$work/ca.pem" -subj /CN=issuer -days 36500
openssl req -newkey rsa:2048 -nodes -keyout "$work/key.pem" -out "$work/request.pem" -subj /CN=flux
openssl x509 -req -in "$work/request.pem" -CA "$work/ca.pem" -CAkey "$work/ca.key" -CAcreateserial -out "$work/leaf.pem" -days 36500
export_to() {
    file=$1
    shift
    openssl pkcs12 -export -inkey "$work/key.pem" -in "$work/leaf.pem" -certfile "$work/ca.pem" -out "$file" "$@"
}
export_to rc2.p12 -legacy -passout pass:canary-word
export_to des.p12 -certpbe PBE-SHA1-3DES -keypbe PBE-SHA1-3DES -macalg sha1 -passout pass:canary-word
export_to pbes2.p12 -passout pass:canary-word
export_to empty.p12 -passout pass:
openssl x509 -in "$work/leaf.pem" -noout -fingerprint -sha256 | sed 's/.*=//; s/://g' | tr 'A-F' 'a-f' > fingerprint.txt
rm -r "$work"
