// The settings of our sessions, in the URL of the database.
const SETTINGS = [
  'TimeZone=UTC',
  'DateStyle=ISO',
  'default_transaction_isolation=read\\ committed',
  'search_path=pg_catalog', // a function in another schema could take the place of one that we call without its schema
  'bytea_output=hex', // digests of rows are of the text of their values
  'jit=off', // a server of one's own may have it on, and compiling takes longer than our queries
  // The server ends the session, and with it the locks, of a host that is gone without a word, within half a minute.
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
  'tcp_user_timeout=30000',
];

/** Words of libpq for weaker checks, which pg reads as verify-full, with eight lines of warning on standard error. */
const AS_VERIFY_FULL = ['prefer', 'require', 'verify-ca'];

/** The same address, with the word for what pg does; libpq's own meaning is kept where the address wants it. */
const withVerifyFull = (address: URL): URL => {
  const { searchParams } = address;
  const isRead = AS_VERIFY_FULL.includes(searchParams.get('sslmode') ?? '');
  if (isRead && !searchParams.has('uselibpqcompat')) searchParams.set('sslmode', 'verify-full');
  return address;
};

/**
 * The URL with our session settings. They go into the URL because a URL overrides options in code, and last in it because
 * Postgres uses the last of two equal settings.
 */
export const settingsIn = (url: string, name: string, settings: readonly string[]): string => {
  const address = withVerifyFull(new URL(url));
  const options = address.searchParams.get('options');
  const ours = [...SETTINGS, ...settings].map((setting) => `-c ${setting}`).join(' ');
  address.searchParams.set('options', `${options ? `${options} ` : ''}${ours}`);
  address.searchParams.set('application_name', name.slice(0, 63)); // Postgres truncates longer names and sends a notice
  return address.href;
};
