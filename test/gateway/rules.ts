// The rules of the gateway's specification, each once: which part of this project follows it, and the test that proves it.
// The conformance table in src/gateway/README.md is written from here.

/** What must follow a rule: the stand-in, the client, the pipeline. */
type Part = 'stand-in' | 'client' | 'pipeline';

/** A test by its file below `test/` and its title as the file has it. */
type Proof = readonly [file: string, title: string];

export type Rule = {
  /** The section of the specification. */
  readonly section: string;
  readonly rule: string;
  readonly parts: Parts;
  readonly proofs: Proofs;
};

type Parts = readonly [Part, ...Part[]];
type Proofs = readonly [Proof, ...Proof[]];

const ACCESS = 'sandbox/access.test.ts';
const DOOR = 'sandbox/door.test.ts';
const LISTS = 'sandbox/lists.test.ts';
const FUNDING = 'sandbox/funding.test.ts';
const PAYMENTS = 'sandbox/payments.test.ts';
const STATUSES = 'sandbox/statuses.test.ts';
const SOCKETS = 'sandbox/sockets.test.ts';
const SOCIAL = 'sandbox/social-pay.test.ts';
const ASSETS = 'sandbox/assets.test.ts';
const ACCOUNT = 'sandbox/account.test.ts';
const OPERATIONS = 'sandbox/operations.test.ts';
const ORDERS = 'sandbox/orders.test.ts';
const CODES = 'sandbox/order-codes.test.ts';
const FULL = 'gateway/full-client.test.ts';
const RETRY = 'gateway/retry.test.ts';
const CHANGE = 'gateway/change-retry.test.ts';
const SIGNING = 'gateway/signature.test.ts';
const MESSAGE = 'gateway/message.test.ts';
const CONTRACT = 'gateway/operations.test.ts';
const SOCKET = 'gateway/notification-socket.test.ts';

const BOTH = ['stand-in', 'client'] as const;
const ALL = ['stand-in', 'client', 'pipeline'] as const;
const SERVED = ['stand-in'] as const;

const rule = (section: string, text: string, parts: Parts, ...proofs: Proofs): Rule => ({
  section,
  rule: text,
  parts,
  proofs,
});

const SIGN = 'Authentication, Signature rule';
const HEADERS = 'Authentication, Signed request headers';
const OUTCOMES = 'Authentication, Outcomes';
const SCOPES = 'Authentication, Key scopes';
const JWT = 'Authentication, JWT and WebSocket authentication';
const SHAPES = 'Errors, Error body shapes';
const STATUS = 'Errors, HTTP statuses';
const CASES = 'Errors, Specific cases';
const STATES = 'States and transitions';
const TRADING = 'Endpoints, Trading wallet and trading';
const FUND = 'Endpoints, Funding';
const PAY = 'Endpoints, Social pay';
const MARKET = 'Endpoints, Currency and market data';
const ACC = 'Endpoints, Access';
const EVENTS = 'Events, Notification WebSocket';

const byStatus = (name: string, says: string): Rule =>
  rule(STATUS, `${name}: ${says}.`, ALL, [STATUSES, name], [CHANGE, '%i is final, and nothing was done']);

export const RULES: readonly Rule[] = [
  rule(
    SIGN,
    'Without a body the message is nonce and target.',
    ALL,
    [SIGNING, 'a request without a body signs nonce and target'],
    [DOOR, 'a signed request is served, its slash raw or encoded'],
  ),
  rule(
    SIGN,
    'With a body the message is nonce, target and the compact JSON.',
    BOTH,
    [FULL, 'a body is compact JSON, signed byte for byte'],
    [ACCESS, 'the signature is over the bytes of the body'],
  ),
  rule(SIGN, 'The path in the message includes the query.', ALL, [
    'gateway/client.test.ts',
    'a call sends what the contract defines, percent-encoded and signed as sent',
  ]),
  rule(
    SIGN,
    'An empty object is a body.',
    BOTH,
    [SIGNING, 'an empty object is a body and is signed as one'],
    [ACCESS, 'an empty object counts as a body: signed as one it is accepted, signed as none it is not'],
    [FULL, 'without a body none is sent or signed; an empty object is a body'],
  ),
  rule(
    SIGN,
    'The TLS certificate is verified.',
    ['client', 'pipeline'],
    ['gateway/tls.test.ts', 'an untrusted certificate is refused at once'],
  ),
  rule(
    SIGN,
    'Public operations, the sign-in by embed token and the notification socket are not signed.',
    BOTH,
    [FULL, 'public operations and the sign-in by embed token carry no key'],
    [SOCKET, 'the first message shows the token, and each connection asks for it anew'],
  ),
  rule(
    HEADERS,
    'A nonce is valid within five seconds of the server.',
    ALL,
    [DOOR, 'a nonce is valid within five seconds, again and out of order too'],
    [RETRY, 'a clock that is three seconds off is corrected before any refusal; one second is ignored'],
  ),
  rule(
    HEADERS,
    'X-SUBACCOUNT-ID names the end user that a request acts for.',
    ALL,
    [DOOR, 'an unknown subaccount is 403, a known one is served'],
    [FULL, 'the subaccount and the second factor are headers'],
  ),
  rule(
    HEADERS,
    'x-totp and x-totp-type carry the second factor; for subaccounts always gauth.',
    BOTH,
    [FULL, 'a type of code'],
    [OPERATIONS, '%s asks for a code, and refuses a wrong one'],
  ),
  rule(
    OUTCOMES,
    'Bad key, signature or nonce on sign-in and trading funding: 403 with a fixed body.',
    BOTH,
    [OPERATIONS, '%s refuses a signature over something else'],
    [DOOR, 'an unknown key is 403 with the fixed shape'],
  ),
  rule(
    OUTCOMES,
    'Bad signature or clock on wallet routes: 401.',
    ALL,
    [DOOR, 'a wrong signature is 401 with the default shape'],
    [RETRY, 'a second 401 is final, even with other failures in between'],
  ),
  rule(
    OUTCOMES,
    'A missing second factor is 428, a wrong one 420.',
    BOTH,
    [OPERATIONS, '%s asks for a code, and refuses a wrong one'],
    [CHANGE, '%i is final, and nothing was done'],
  ),
  rule(SCOPES, 'A key does what its scopes allow: Read, Trade, Withdraw.', SERVED, [
    ACCESS,
    'a key does what its scopes allow',
  ]),
  rule(SCOPES, 'Withdraw bypasses the second factor of withdrawals.', SERVED, [
    ACCESS,
    'a key with the scope withdraw needs no code to withdraw; a user without a key does',
  ]),
  rule(SCOPES, 'An IP allowlist restricts a key.', SERVED, [
    ACCESS,
    'a key works from its addresses only, and a change counts at once',
  ]),
  rule(
    SCOPES,
    'Rotation: a new pair, a switch, then immediate revocation.',
    BOTH,
    [ACCESS, 'rotation: a new key works beside the old one, which is revoked at once with its tokens'],
    [FULL, 'after a switch of credentials the new pair signs, and no message shows either secret'],
  ),
  rule(
    JWT,
    'A signed sign-in returns a JWT that private operations accept.',
    BOTH,
    [ACCESS, 'a signed sign-in returns a token that private operations accept'],
    [FULL, 'one sign-in serves concurrent calls, which are not signed'],
  ),
  rule(
    JWT,
    'A token ends at its expirationTime.',
    BOTH,
    [ACCESS, 'a token expires'],
    [FULL, 'a token is renewed before it expires'],
  ),
  rule(
    'Authentication, Schemes',
    'Private operations accept a signed key or a JWT.',
    BOTH,
    [ACCESS, 'a signed sign-in returns a token that private operations accept'],
    [FULL, 'an access token from elsewhere is sent as it is; it cannot sign in by key'],
  ),
  rule(
    'Authentication, Schemes',
    'Basic credentials and custom keys are declared; no documented operation takes them.',
    SERVED,
    [OPERATIONS, 'no operation takes Basic credentials or a custom key'],
  ),
  rule(
    ACC,
    'A sign-in with userId is for that subaccount; without it no body is sent.',
    BOTH,
    [ACCESS, 'a sign-in for a subaccount opens that subaccount only'],
    [FULL, 'one sign-in serves concurrent calls, which are not signed'],
  ),
  rule(
    ACC,
    'An embed token signs a subaccount in without an API key.',
    BOTH,
    [ACCESS, 'an embed token signs its subaccount in, and no key is needed'],
    [FULL, 'public operations and the sign-in by embed token carry no key'],
  ),
  rule(
    ACC,
    'With forceSubaccountSfa an embed sign-in without a code is 428 with the metadata of the factor, with a wrong code 420.',
    SERVED,
    [ACCESS, 'where the second factor is forced, an embed sign-in needs a code'],
  ),
  rule(ACC, 'The check of the second factor sends a code by phone and names the retry interval.', SERVED, [
    ACCESS,
    'the check of the second factor sends a code by phone',
  ]),
  rule(ACC, 'A main account enrols an authenticator with the received code.', SERVED, [
    ACCESS,
    'the main account enrols an authenticator with a code of the old one',
  ]),
  rule(ACC, 'A main account enrols its subaccounts.', SERVED, [
    ACCESS,
    'the main account enrols a subaccount, nobody else does',
  ]),
  rule('Endpoints, Account', 'A deleted account is gone, with its wallets.', SERVED, [
    ACCOUNT,
    'a deleted account is gone for every request',
  ]),
  rule(
    'Endpoints, Account',
    'An address needs five fields; a second residence is 406.',
    BOTH,
    [ACCOUNT, 'an address is changed, refused as a second residence, and removed'],
    [CONTRACT, '%s accepts a good request and refuses each bad field'],
  ),
  rule('Endpoints, Account', 'Old lists of options are text in a language, new ones are keys.', SERVED, [
    ACCOUNT,
    'old lists of options are text in a language, new ones are keys',
  ]),
  rule(
    TRADING,
    'Movements are newest first, between inclusive bounds.',
    ['stand-in', 'pipeline'],
    [LISTS, 'movements are newest first, at most 100, both bounds inclusive'],
    ['extract/window.test.ts', 'that lists oldest first is detected, and proves nothing'],
  ),
  rule(
    TRADING,
    'Four filters split movements.',
    ['stand-in', 'pipeline'],
    [LISTS, 'movements can be split by the four filters'],
    ['extract/instants.test.ts', 'with 400 movements is split by type, then by origin, then by currency'],
  ),
  rule(
    TRADING,
    'amountFormat chooses between JSON numbers and exact text.',
    BOTH,
    [LISTS, 'balances are numbers or text, and can be requested by symbol'],
    [FULL, 'numbers are exact text, and typed'],
  ),
  rule(TRADING, 'Working capital honours symbols; without it the list is empty.', SERVED, [
    ASSETS,
    'working capital honours its symbols',
  ]),
  rule(
    TRADING,
    'Trades have a total, and total and offset walk the pages.',
    ALL,
    [LISTS, 'trades are filtered by symbol, side, ids and inclusive times'],
    ['gateway/contract.test.ts', 'a count is read from total or count: %s'],
  ),
  rule(TRADING, 'A deposit or withdrawal moves funds between a pocket and the trading wallet.', BOTH, [
    'sandbox/trading-funds.test.ts',
    'a deposit moves a pocket and the trading wallet, lists both records, and answers the balance',
  ]),
  rule(
    TRADING,
    'blockedBalance is what open orders and bots reserve.',
    ['stand-in', 'pipeline'],
    [
      ORDERS,
      'the orders of the history group its trades, and what is open blocks exactly what the balance says',
    ],
  ),
  rule(
    TRADING,
    'Without credentials restricted markets have no ticker; a filter still gives a list.',
    BOTH,
    [ORDERS, 'restricted markets have no ticker without credentials; a filter still gives a list'],
    [FULL, 'a gateway without credentials sends public operations only'],
  ),
  rule(FUND, 'A new entry of the address book is validating.', SERVED, [
    FUNDING,
    'an entry is validating, a subaccount confirms it, and confirming again changes nothing',
  ]),
  rule(FUND, 'The filter by status is checked and does not filter.', SERVED, [
    FUNDING,
    'the status is checked and does not filter; the book begins with addresses of the history',
  ]),
  rule(
    FUND,
    'The confirmation is for subaccounts, by gauth only.',
    BOTH,
    [FUNDING, 'the main account cannot confirm, an unknown entry is not found, and books are separate'],
    [FULL, 'a type of code'],
  ),
  rule(
    FUND,
    'The confirmation is idempotent and answers 204.',
    BOTH,
    [FUNDING, 'an entry is validating, a subaccount confirms it, and confirming again changes nothing'],
    [CHANGE, 'what may be repeated is: the confirmation of an address, a proforma'],
  ),
  rule(FUND, 'A network that the currency of the pocket does not support is 422.', SERVED, [
    FUNDING,
    '%s refuses another network and another pocket',
  ]),
  rule(FUND, 'The reference of a pocket is stable.', SERVED, [
    FUNDING,
    'the reference of a pocket is stable, and the accounts are valid',
  ]),
  rule(FUND, 'A proforma prices and charges nothing.', SERVED, [
    PAYMENTS,
    'a proforma moves nothing; executing it does, once',
  ]),
  rule(
    FUND,
    'Travel-rule data has three forms; its required fields depend on owner and person.',
    BOTH,
    [FUNDING, 'travel-rule data belongs to a transaction on a chain, in three forms'],
    [CONTRACT, 'a company without a surname'],
  ),
  rule(PAY, 'Each item of a claim succeeds or fails alone.', SERVED, [
    SOCIAL,
    'each item of a claim succeeds or fails alone',
  ]),
  rule(PAY, 'An order debits the pocket of the sender.', SERVED, [
    SOCIAL,
    '%s debits the pocket, and a claim credits another',
  ]),
  rule(
    PAY,
    'The recipient is known by e-mail, phone or alias.',
    BOTH,
    [SOCIAL, 'a recipient is known by %s too'],
    [SOCIAL, 'the field of the type is required'],
  ),
  rule(PAY, 'The first version answers 420 for a missing and a wrong code.', SERVED, [
    OPERATIONS,
    '%s asks for a code, and refuses a wrong one',
  ]),
  rule(
    MARKET,
    'The catalogue needs a type, and has testnet symbols among the coins.',
    BOTH,
    [ASSETS, 'the catalogue has testnet symbols among the coins, under both paths'],
    [OPERATIONS, '%s names the parameters of its query'],
  ),
  rule(MARKET, 'Assets: testnet ones can be left out, delisted ones carry removedAt.', SERVED, [
    ASSETS,
    'assets: testnet ones can be left out, delisted ones carry the time of their removal',
  ]),
  rule(MARKET, 'An asset is found by its exact symbol; lower case is 404.', SERVED, [
    ASSETS,
    'an asset is found by its exact symbol, and lower case is 404',
  ]),
  rule(
    MARKET,
    'The chart has rows of time and two rates, oldest first; a rate may be null.',
    ['client', 'pipeline'],
    ['gateway/contract.test.ts', 'rates and charts are read as sent, including nulls'],
  ),
  rule(STATES, 'An address cannot be registered twice while an entry is validating or verified.', SERVED, [
    FUNDING,
    'the same address again',
  ]),
  rule(STATES, 'A deposit address is pending and not listed, then enabled and listed.', SERVED, [
    FUNDING,
    'a deposit address is pending at first, and listed with its address once time has passed',
  ]),
  rule(
    STATES,
    'A proforma is executed once.',
    BOTH,
    [PAYMENTS, 'a proforma moves nothing; executing it does, once'],
    [CHANGE, 'after %s it is not: the gateway may have done it'],
  ),
  rule(STATES, 'A proforma expires.', SERVED, [
    PAYMENTS,
    'a proforma expires after two minutes, and its price is that of its moment',
  ]),
  rule(STATES, 'A teller order by card waits for the user.', SERVED, [
    PAYMENTS,
    'a purchase by card waits for the user, is paid later, and its row names the order',
  ]),
  rule(STATES, 'Only an order that waits for the user can be cancelled.', SERVED, [
    PAYMENTS,
    'only an order that waits for the user can be cancelled, and then nothing is paid',
  ]),
  rule(
    STATES,
    'Only completed movements count.',
    ['pipeline'],
    ['normalize/normalize.test.ts', 'is booked, rejected or set aside, and none is left'],
  ),
  rule(
    EVENTS,
    'The first message authenticates by token or by an array with the key.',
    BOTH,
    [SOCKETS, 'a key or a token authenticates'],
    [SOCKET, 'events of the stand-in arrive typed, with %s'],
  ),
  rule(
    EVENTS,
    'Failed authentication closes with 4000.',
    BOTH,
    [SOCKETS, '%s closes with 4000'],
    [SOCKET, 'the stand-in refuses wrong credentials with 4000, and the client stops'],
  ),
  rule(
    EVENTS,
    'Too many messages close with 4001.',
    BOTH,
    [SOCKETS, 'too many messages close with 4001'],
    [SOCKET, 'waits grow, are spread, and are bounded; after 4001 they are longer'],
  ),
  rule(
    EVENTS,
    'A client connects again with growing waits.',
    ['client'],
    [SOCKET, 'waits grow, are spread, and are bounded; after 4001 they are longer'],
  ),
  rule(EVENTS, 'address-book-updated-v1 follows the creation and each later status of an entry.', SERVED, [
    FUNDING,
    'an entry is validating, a subaccount confirms it, and confirming again changes nothing',
  ]),
  rule(
    'Events, Transaction authorization webhook',
    "The service asks the integrator's backend before a transaction.",
    ['stand-in', 'pipeline'],
    ['sandbox/webhook.test.ts', 'an authorized transaction happens'],
    ['sandbox/webhook.test.ts', '%s is 423, and nothing moves'],
    [
      'webhook/sandbox.test.ts',
      'the stand-in asks: a write within the limit happens, one above it does not, and a night reconciles both',
    ],
  ),
  rule('Events, Trading WebSocket', 'A token from REST, valid for one minute, authenticates.', SERVED, [
    SOCKETS,
    'the trading socket takes a token of the trading wallet, and nothing else',
  ]),
  rule(
    SHAPES,
    'Invalid credentials: code and a description without detail.',
    ALL,
    [DOOR, 'an unknown key is 403 with the fixed shape'],
    [MESSAGE, 'invalid credentials'],
  ),
  rule(
    SHAPES,
    'Validation errors: a list with place, name and inner errors.',
    ALL,
    [ACCOUNT, 'a body with several faults names each, with its params'],
    [MESSAGE, 'validation errors'],
  ),
  rule(
    SHAPES,
    'Every other error: message and error, statusCode, reqId, data.',
    ALL,
    [DOOR, 'a wrong signature is 401 with the default shape'],
    [RETRY, 'a second 401 is final, even with other failures in between'],
  ),
  rule(SHAPES, 'A missing query parameter is REQUIRED.', SERVED, [
    OPERATIONS,
    '%s names the parameters of its query',
  ]),
  rule(SHAPES, 'A missing field of a body is OBJECT_MISSING_REQUIRED_PROPERTY.', SERVED, [
    OPERATIONS,
    '%s names the fields of its body',
  ]),
  rule(SHAPES, 'ENUM_MISMATCH, PATTERN, MAXIMUM and INVALID_TYPE have their params.', SERVED, [
    LISTS,
    '%s is %s',
  ]),
  rule(SHAPES, 'MAX_LENGTH has the offending and the allowed size.', SERVED, [
    ACCOUNT,
    'a body with several faults names each, with its params',
  ]),
  byStatus('400 Bad Request', 'invalid or missing fields'),
  byStatus('404 Not Found', 'a missing resource'),
  byStatus('406 Not Acceptable', 'a business rule'),
  byStatus('412 Precondition Failed', 'insufficient funds, or a price or an amount outside the market'),
  byStatus('417 Expectation Failed', 'the amount of a proforma is too low or too high'),
  byStatus('422 Unprocessable Entity', "the network is not supported for the pocket's currency"),
  byStatus('423 Locked', 'the operation is blocked'),
  rule(STATUS, '401 on wallet transactions also means that the e-mail is not verified.', SERVED, [
    PAYMENTS,
    'without a verified e-mail nothing is priced or executed',
  ]),
  rule(
    STATUS,
    '418 after abuse of the rate limits; nothing more is sent then.',
    ALL,
    [STATUSES, 'who ignores 429 is banned with 418'],
    [RETRY, '418 stops every request: running, waiting and future ones'],
  ),
  rule(
    STATUS,
    '429: the rate limit is reached; the request was not processed.',
    ALL,
    [CHANGE, 'after a 429 it is sent again, signed anew'],
    [RETRY, 'Retry-After delays every call'],
  ),
  rule(
    STATUS,
    '500 and 502: a read is sent again, a change is not.',
    ['client', 'pipeline'],
    [RETRY, '%s is tried again, signed afresh with a higher nonce'],
    [CHANGE, 'after %s it is not: the gateway may have done it'],
  ),
  rule('Errors, Order error codes', 'Every one of the 35 codes has a request that meets it.', SERVED, [
    CODES,
    'the tests reach every code',
  ]),
  rule(
    'Errors, Order error codes',
    'A code stands in the body of a rejection and in the error of the client.',
    BOTH,
    [CODES, 'the tests reach every code'],
    [MESSAGE, 'NOT_ENOUGH_BALANCE'],
  ),
  rule(CASES, 'The status of an unknown teller order is 200 and pending.', SERVED, [
    PAYMENTS,
    'an unknown teller order is pending, not found to execute, and a proforma expires',
  ]),
  rule(
    CASES,
    'The chart of all time between two fiat currencies is 400 with errorCode.',
    BOTH,
    [STATUSES, 'the chart of all time between two fiat currencies has an errorCode instead of a statusCode'],
    [MESSAGE, 'all-time is not for fiat'],
  ),
  rule(CASES, 'The historical conversion gives 0 for an unknown symbol.', SERVED, [
    ASSETS,
    'the historical conversion gives 0 for an unknown symbol',
  ]),
  rule(
    'Limits',
    'At most 100 movements; a larger limit is 400.',
    BOTH,
    [LISTS, 'a limit above 100 movements is refused as in the specification'],
    [FULL, 'a query'],
  ),
  rule(
    'Limits',
    'At most 50 trades; a larger limit is reduced without an error.',
    ['stand-in', 'pipeline'],
    [LISTS, 'a larger limit of trades is reduced to 50 without an error'],
    [
      'extract/offset.test.ts',
      'advances by the rows received, less the one that links pages, if the server clamps the limit to',
    ],
  ),
  rule(
    'Limits',
    'The alias of an address has at most 50 characters.',
    BOTH,
    [CONTRACT, '%s accepts a good request and refuses each bad field'],
    [ACCOUNT, 'a body with several faults names each, with its params'],
  ),
  rule('Limits', 'A market limits the orders that are open, and those created within an hour.', SERVED, [
    CODES,
    'at most 50 open orders a market, and 100 created within an hour',
  ]),
  rule('Limits', 'Working capital counts a rolling window of 24 hours.', SERVED, [
    ASSETS,
    'working capital counts a rolling window of 24 hours',
  ]),
  rule(
    'Versioning',
    'Every written path and every replacement is in the contract.',
    BOTH,
    [CONTRACT, 'every path of the specification is in the contract'],
    [CONTRACT, 'every replacement of the specification replaces a deprecated operation'],
  ),
  rule(
    'Versioning',
    'Deprecated operations still answer.',
    SERVED,
    [OPERATIONS, '%s is routed'],
    [PAYMENTS, 'versions 1 and 2 of the list go by offset and have a total'],
  ),
  rule('Versioning', 'The newer list of addresses is masked except for the country.', SERVED, [
    ACCOUNT,
    'the newer list of addresses is masked except for the country',
  ]),
];
