#!/bin/sh
# A second client of the stand-in gateway: curl and openssl, written from the specification alone.
#   GATEWAY_BASE_URL=… GATEWAY_API_KEY=… GATEWAY_API_SECRET=… sh test/sandbox/curl.sh
# Prints one line for each step; ends with exit code 1 at the first one that fails.
set -eu

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

# The first text member of this name in a JSON text.
member() {
  printf '%s' "$2" | grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4
}

# A request: METHOD TARGET EXPECTED-STATUS [BODY] [HEADER…]. Signs nonce:target or nonce:target:body.
call() {
  method=$1 target=$2 expected=$3 body=${4-}
  shift 3
  if [ $# -gt 0 ]; then shift; fi
  for header in "$@"; do
    set -- "$@" -H "$header"
    shift
  done
  nonce=$(date +%s)000
  message=$nonce:$target
  if [ -n "$body" ]; then
    message=$message:$body
    set -- "$@" -H 'content-type: application/json' --data-binary "$body"
  fi
  signature=$(printf '%s' "$message" | openssl dgst -sha256 -binary |
    openssl dgst -sha512 -hmac "$GATEWAY_API_SECRET" -binary | openssl base64 -A)
  answer=$(curl -sS -X "$method" -w '\n%{http_code}' \
    -H "x-api-key: $GATEWAY_API_KEY" -H "x-nonce: $nonce" -H "api-signature: $signature" \
    "$@" "$GATEWAY_BASE_URL$target")
  status=$(printf '%s' "$answer" | tail -n 1)
  answer=$(printf '%s' "$answer" | sed '$d')
  [ "$status" = "$expected" ] || fail "$method $target answered $status, not $expected: $answer"
  echo "$method $target $status"
}

# The code of an authenticator now (RFC 6238), from its base32 secret.
totp() {
  secret=$1 bits='' hex=''
  while [ -n "$secret" ]; do
    letter=${secret%"${secret#?}"} secret=${secret#?}
    alphabet=ABCDEFGHIJKLMNOPQRSTUVWXYZ234567
    before=${alphabet%%"$letter"*}
    value=${#before}
    for weight in 16 8 4 2 1; do bits=$bits$((value / weight % 2)); done
  done
  while [ ${#bits} -ge 4 ]; do
    rest=${bits#????} nibble=${bits%"${bits#????}"} value=0
    while [ -n "$nibble" ]; do
      value=$((value * 2 + ${nibble%"${nibble#?}"})) nibble=${nibble#?}
    done
    hex=$hex$(printf '%x' "$value") bits=$rest
  done
  step=$(printf '%016x' $(($(date +%s) / 30)))
  bytes=$(for byte in $(printf '%s' "$step" | sed 's/../0x& /g'); do printf '\\0%03o' "$byte"; done)
  digest=$(printf '%b' "$bytes" | openssl dgst -sha1 -mac HMAC -macopt "hexkey:$hex" | sed 's/^.*= *//')
  last=$(printf '%s' "$digest" | cut -c 40)
  offset=$((0x$last * 2 + 1))
  word=$(printf '%s' "$digest" | cut -c "$offset-$((offset + 7))")
  printf '%06d' $(((0x$word & 0x7fffffff) % 1000000))
}

call POST /v1/signin/apikey 200
token=$(member token "$answer")
pockets=$(curl -sS -H "authorization: Bearer $token" "$GATEWAY_BASE_URL/v1/wallet/pocket")
case $pockets in '[{"id":'*) echo 'GET /v1/wallet/pocket 200 with the token' ;; *) fail "pockets: $pockets" ;; esac

call GET '/v1/trading/trade?symbol=BTC/EUR&limit=5' 200
call GET '/v1/trading/trade?symbol=BTC%2FEUR&limit=5' 200
call GET /v3/wallet/transaction?limit=5 200

call GET /v1/account/subaccount 200
subaccount=$(member id "$answer")
call POST /v1/account/subaccount/sfa 200 "{\"subaccountUserId\":\"$subaccount\"}"
secret=$(member secret "$answer")
call PUT /v1/account/subaccount/sfa 200 "{\"subaccountUserId\":\"$subaccount\",\"totp\":\"$(totp "$secret")\"}"

entry='{"address":"0x52908400098527886E0F7030069857D2E4169EE7","currency":"ETH","network":"ethereum","name":"Dora","surname":"Example","personType":"person","walletOwnership":"other","walletType":"exchange","exchangeName":"Example Exchange"}'
call POST /v1/blockchain-manager/address-book 200 "$entry" "X-SUBACCOUNT-ID: $subaccount"
[ "$(member status "$answer")" = validating ] || fail "the entry is $answer"
address=$(member addressId "$answer")
call POST "/v1/compliance/address-book/$address/confirm" 428 '' "X-SUBACCOUNT-ID: $subaccount"
call POST "/v1/compliance/address-book/$address/confirm" 204 '' "X-SUBACCOUNT-ID: $subaccount" \
  "x-totp: $(totp "$secret")" 'x-totp-type: gauth'
call GET '/v1/blockchain-manager/address-book?currency=ETH' 200 '' "X-SUBACCOUNT-ID: $subaccount"
case $answer in *"$address"*'"status":"verified"'*) echo 'the entry is verified' ;; *) fail "book: $answer" ;; esac

call POST /v1/wallet/transaction/proforma 200 '{"amount":"25","currency":"EUR","pair":"BTC/EUR"}'
proforma=$(member id "$answer")
call POST /v1/wallet/transaction 200 "{\"proforma\":\"$proforma\"}"
call POST /v1/wallet/transaction 406 "{\"proforma\":\"$proforma\"}"
echo 'all steps passed'
