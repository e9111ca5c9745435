#!/bin/sh
# Makes the certificates by which the parts of deploy/compose.two-machines.yaml know each other: as root, `sh deploy/make-certificates.sh FOLDER`, once, and
# again before they end after 825 days. FOLDER is what DATABASE_TLS of .env names; copy it to each machine. The authority's own key lies beside it, as
# FOLDER-ca-key.pem, and belongs on none of them. The keys are the users' who read them in the containers: 999 of MariaDB, 1000 of the portal.
set -eu
folder=${1:?name the folder that DATABASE_TLS names}
authority_key=$folder-ca-key.pem
mkdir -p "$folder"
names=$(mktemp)
trap 'rm -f "$names"' EXIT

new_key() {
  (umask 077 && openssl ecparam -name prime256v1 -genkey -noout -out "$1")
}

certificate() {
  new_key "$folder/$1-key.pem"
  echo "subjectAltName=$3
extendedKeyUsage=serverAuth,clientAuth" >"$names"
  openssl req -new -key "$folder/$1-key.pem" -subj "/CN=$1" |
    openssl x509 -req -days 825 -CA "$folder/ca.pem" -CAkey "$authority_key" -set_serial "0x$(openssl rand -hex 16)" \
      -extfile "$names" -out "$folder/$1-cert.pem" 2>/dev/null
  if [ "$(id -u)" = 0 ]; then chown "$2" "$folder/$1-key.pem"; fi
}

if [ ! -f "$authority_key" ]; then
  new_key "$authority_key"
  openssl req -x509 -new -key "$authority_key" -days 3650 -subj "/CN=Henvisningsportalen" -out "$folder/ca.pem"
fi
certificate server 999 DNS:database-a,DNS:database-b,DNS:database-c,DNS:proxy
certificate portal 1000 DNS:portal,DNS:portal-a,DNS:portal-b
