-- The chart of accounts, and the class of an account.
-- For: statements; the accountant.
--   psql -f sql/views/05-accounts.sql

-- Whether an account begins each fiscal year at zero.
create function books_internal.is_of_year(account text) returns boolean language sql immutable parallel safe
return account like 'income:%' or account like 'expenses:%';

-- Whether an account is a holding: every asset except withheld tax, which the tax office owes.
create function books_internal.is_holding(account text) returns boolean language sql immutable parallel safe
return account like 'assets:%' and account <> 'assets:tax-withheld';

-- The account under which a tie-out compares an account: trading and bots are one.
create function books_internal.tied_account(account text) returns text language sql immutable parallel safe
return case account when 'assets:trading-bots' then 'assets:trading' else account end;

-- The accounts that a tie-out compares as one.
create function books_internal.accounts_tied_as(account text) returns text[] language sql immutable parallel safe
return case account when 'assets:trading' then array['assets:trading', 'assets:trading-bots'] else array[account] end;

-- Whether a currency is fiat, by its ISO 4217 code. A token that tracks one is not.
create function books_internal.is_fiat(currency text) returns boolean language sql immutable strict parallel safe
return currency in ('AED', 'ARS', 'AUD', 'BGN', 'BRL', 'CAD', 'CHF', 'CLP', 'CNY', 'COP', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'HRK',
  'HUF', 'IDR', 'ILS', 'INR', 'ISK', 'JPY', 'KRW', 'MXN', 'MYR', 'NGN', 'NOK', 'NZD', 'PEN', 'PHP', 'PLN', 'RON', 'RUB', 'SAR',
  'SEK', 'SGD', 'THB', 'TRY', 'TWD', 'UAH', 'USD', 'UYU', 'VND', 'ZAR');

create view books.chart_of_accounts as
select pattern, code, name, statement, statement_class
from (values
  ('assets:', '1900', 'Other assets', 'balance sheet', 'assets'),
  ('assets:trading', '1110', 'Trading wallet', 'balance sheet', 'assets'),
  ('assets:trading-bots', '1120', 'Trading bots', 'balance sheet', 'assets'),
  ('assets:pocket:', '1130', 'Pockets', 'balance sheet', 'assets'),
  ('assets:earn', '1140', 'Earn wallets', 'balance sheet', 'assets'),
  ('assets:clearing:', '1150', 'In transit', 'balance sheet', 'assets'),
  ('assets:tax-withheld', '1160', 'Withholding tax receivable', 'balance sheet', 'receivables'),
  ('assets:cost-differences', '1170', 'Lot-versus-average cost adjustment', 'balance sheet', 'assets'),
  ('liabilities:', '2900', 'Other liabilities', 'balance sheet', 'liabilities'),
  ('liabilities:working-capital', '2110', 'Platform advance', 'balance sheet', 'liabilities'),
  ('equity:', '3900', 'Other equity', 'balance sheet', 'equity'),
  ('equity:opening', '3110', 'Opening balances', 'balance sheet', 'equity'),
  ('equity:retained-earnings', '3120', 'Retained earnings', 'balance sheet', 'equity'),
  ('equity:conversion', '3210', 'Conversion', 'balance sheet', 'conversion'),
  ('equity:external:', '3310', 'Outside the platform', 'balance sheet', 'outside the platform'),
  ('income:', '4900', 'Other income', 'income statement', 'income'),
  ('income:rewards', '4110', 'Rewards', 'income statement', 'income'),
  ('income:gains:realised', '4210', 'Realised gains', 'income statement', 'income'),
  ('income:gains:fx', '4220', 'Foreign exchange gains', 'income statement', 'income'),
  ('expenses:', '5900', 'Other expenses', 'income statement', 'expenses'),
  ('expenses:fees:', '5190', 'Other fees', 'income statement', 'expenses'),
  ('expenses:fees:trading', '5110', 'Trading fees', 'income statement', 'expenses'),
  ('expenses:fees:network', '5120', 'Network fees', 'income statement', 'expenses'),
  ('expenses:fees:teller', '5130', 'Deposit and withdrawal fees', 'income statement', 'expenses'),
  ('expenses:losses:realised', '5210', 'Realised losses', 'income statement', 'expenses'),
  ('expenses:losses:fx', '5220', 'Foreign exchange losses', 'income statement', 'expenses'),
  ('expenses:rounding', '5310', 'Rounding', 'income statement', 'expenses')
) as chart (pattern, code, name, statement, statement_class);
comment on view books.chart_of_accounts is
  'One row per account pattern. An account has the code of the longest pattern that it begins with.';
comment on column books.chart_of_accounts.pattern is 'Beginning of the account paths that this row covers.';
comment on column books.chart_of_accounts.code is 'Account code, four digits.';
comment on column books.chart_of_accounts.name is 'Account name, in English.';
comment on column books.chart_of_accounts.statement is 'balance sheet or income statement.';
comment on column books.chart_of_accounts.statement_class is 'Class in the statement. equity:external accounts are technical: what lies outside the platform, not equity.';

create function books.chart_of(account text) returns table (code text, name text, statement text, statement_class text)
language sql stable parallel safe as $$
  select c.code, c.name, c.statement, c.statement_class
  from books.chart_of_accounts c
  where starts_with(chart_of.account, c.pattern)
  order by length(c.pattern) desc
  limit 1
$$;
comment on function books.chart_of(text) is
  'The row of the chart of accounts for one account path: code, name, statement and statement_class.';
