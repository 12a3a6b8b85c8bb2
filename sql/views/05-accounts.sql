-- What an account path means, the class of an asset, and the charts of accounts that come with the program.
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

-- Whether a token promises the value of one official currency. The gateway's list of assets says fiat or crypto alone, so these are
-- those known by name; a file of classes corrects them (tieout chart use --classes).
create function books_internal.is_e_money_token(currency text) returns boolean language sql immutable strict parallel safe
return currency in ('EURC', 'EURCV', 'EURE', 'EURI', 'EURQ', 'EURR', 'EURT', 'FDUSD', 'GUSD', 'PYUSD', 'RLUSD', 'TUSD', 'USDC', 'USDG',
  'USDP', 'USDQ', 'USDT');

create view books.chart_templates as
select t.template, l.line, l.account, l.class, '' as currency, t.code, l.name_en, l.name_es, l.name_de, l.statement, l.statement_class
from (values
  (1, 'assets:trading', 'fiat', 'Cash: trading wallet', 'Efectivo: cartera de trading', 'Geld: Handelswallet', 'balance sheet', 'cash', '1101', '5721', '1201', '1801'),
  (2, 'assets:trading-bots', 'fiat', 'Cash: trading bots', 'Efectivo: bots de trading', 'Geld: Handelsbots', 'balance sheet', 'cash', '1102', '5722', '1202', '1802'),
  (3, 'assets:pocket:*', 'fiat', 'Cash: pockets', 'Efectivo: pockets', 'Geld: Pockets', 'balance sheet', 'cash', '1103', '5723', '1203', '1803'),
  (4, 'assets:earn', 'fiat', 'Cash: Earn wallets', 'Efectivo: carteras Earn', 'Geld: Earn-Wallets', 'balance sheet', 'cash', '1104', '5724', '1204', '1804'),
  (5, 'assets:clearing:*', 'fiat', 'Cash in transit', 'Efectivo en tránsito', 'Geld unterwegs', 'balance sheet', 'cash', '1105', '5725', '1360', '1460'),
  (6, 'assets:trading', 'e-money token', 'E-money tokens: trading wallet', 'Tokens de dinero electrónico: cartera de trading', 'E-Geld-Token: Handelswallet', 'balance sheet', 'e-money tokens', '1201', '5761', '1501', '1301'),
  (7, 'assets:trading-bots', 'e-money token', 'E-money tokens: trading bots', 'Tokens de dinero electrónico: bots de trading', 'E-Geld-Token: Handelsbots', 'balance sheet', 'e-money tokens', '1202', '5762', '1502', '1302'),
  (8, 'assets:pocket:*', 'e-money token', 'E-money tokens: pockets', 'Tokens de dinero electrónico: pockets', 'E-Geld-Token: Pockets', 'balance sheet', 'e-money tokens', '1203', '5763', '1503', '1303'),
  (9, 'assets:earn', 'e-money token', 'E-money tokens: Earn wallets', 'Tokens de dinero electrónico: carteras Earn', 'E-Geld-Token: Earn-Wallets', 'balance sheet', 'e-money tokens', '1204', '5764', '1504', '1304'),
  (10, 'assets:clearing:*', 'e-money token', 'E-money tokens in transit', 'Tokens de dinero electrónico en tránsito', 'E-Geld-Token unterwegs', 'balance sheet', 'e-money tokens', '1205', '5765', '1505', '1305'),
  (11, 'assets:trading', 'coin', 'Crypto-assets: trading wallet', 'Criptoactivos: cartera de trading', 'Kryptowerte: Handelswallet', 'balance sheet', 'crypto-assets', '1301', '2071', '1511', '1311'),
  (12, 'assets:trading-bots', 'coin', 'Crypto-assets: trading bots', 'Criptoactivos: bots de trading', 'Kryptowerte: Handelsbots', 'balance sheet', 'crypto-assets', '1302', '2072', '1512', '1312'),
  (13, 'assets:pocket:*', 'coin', 'Crypto-assets: pockets', 'Criptoactivos: pockets', 'Kryptowerte: Pockets', 'balance sheet', 'crypto-assets', '1303', '2073', '1513', '1313'),
  (14, 'assets:earn', 'coin', 'Crypto-assets: Earn wallets', 'Criptoactivos: carteras Earn', 'Kryptowerte: Earn-Wallets', 'balance sheet', 'crypto-assets', '1304', '2074', '1514', '1314'),
  (15, 'assets:clearing:*', 'coin', 'Crypto-assets in transit', 'Criptoactivos en tránsito', 'Kryptowerte unterwegs', 'balance sheet', 'crypto-assets', '1305', '2075', '1515', '1315'),
  (16, 'assets:cost-differences', 'fiat', 'Cash: lot-versus-average cost adjustment', 'Efectivo: ajuste de coste entre lotes y media', 'Geld: Anpassung zwischen Los- und Durchschnittskosten', 'balance sheet', 'cash', '1190', '5728', '1208', '1808'),
  (17, 'assets:cost-differences', 'e-money token', 'E-money tokens: lot-versus-average cost adjustment', 'Tokens de dinero electrónico: ajuste de coste entre lotes y media', 'E-Geld-Token: Anpassung zwischen Los- und Durchschnittskosten', 'balance sheet', 'e-money tokens', '1290', '5768', '1508', '1308'),
  (18, 'assets:cost-differences', 'coin', 'Crypto-assets: lot-versus-average cost adjustment', 'Criptoactivos: ajuste de coste entre lotes y media', 'Kryptowerte: Anpassung zwischen Los- und Durchschnittskosten', 'balance sheet', 'crypto-assets', '1390', '2079', '1519', '1319'),
  (19, 'assets:tax-withheld', '', 'Withholding tax receivable', 'Retenciones a cuenta', 'Anrechenbare Quellensteuer', 'balance sheet', 'receivables', '1401', '4730', '1549', '1450'),
  (20, 'assets:*', 'fiat', 'Other cash', 'Otro efectivo', 'Sonstiges Geld', 'balance sheet', 'cash', '1109', '5729', '1209', '1809'),
  (21, 'assets:*', 'e-money token', 'Other e-money tokens', 'Otros tokens de dinero electrónico', 'Sonstige E-Geld-Token', 'balance sheet', 'e-money tokens', '1209', '5769', '1509', '1309'),
  (22, 'assets:*', 'coin', 'Other crypto-assets', 'Otros criptoactivos', 'Sonstige Kryptowerte', 'balance sheet', 'crypto-assets', '1309', '2078', '1518', '1318'),
  (23, 'assets:*', '', 'Assets of an unknown class', 'Activos de clase desconocida', 'Vermögenswerte unbekannter Klasse', 'balance sheet', 'assets', '1900', '5550', '1590', '1370'),
  (24, 'liabilities:working-capital', '', 'Platform advance', 'Anticipo de la plataforma', 'Vorschuss der Plattform', 'balance sheet', 'liabilities', '2110', '5210', '1701', '3501'),
  (25, 'liabilities:*', '', 'Other liabilities', 'Otros pasivos', 'Sonstige Verbindlichkeiten', 'balance sheet', 'liabilities', '2900', '5219', '1709', '3509'),
  (26, 'equity:opening', '', 'Opening balances', 'Saldos de apertura', 'Saldenvorträge', 'balance sheet', 'equity', '3110', '1130', '9000', '9000'),
  (27, 'equity:retained-earnings', '', 'Retained earnings', 'Resultados de ejercicios anteriores', 'Ergebnisvortrag', 'balance sheet', 'equity', '3120', '1200', '0860', '2970'),
  (28, 'equity:conversion', '', 'Conversion', 'Conversión', 'Umtausch', 'balance sheet', 'conversion', '3210', '5551', '1592', '1372'),
  (29, 'equity:external:*', '', 'Outside the platform', 'Fuera de la plataforma', 'Außerhalb der Plattform', 'balance sheet', 'outside the platform', '3310', '5552', '1593', '1373'),
  (30, 'equity:*', '', 'Other equity', 'Otro patrimonio neto', 'Sonstiges Eigenkapital', 'balance sheet', 'equity', '3900', '1180', '0890', '2980'),
  (31, 'income:rewards', '', 'Rewards', 'Recompensas', 'Belohnungen', 'income statement', 'income', '4110', '7690', '2700', '4830'),
  (32, 'income:gains:realised', '', 'Realised gains', 'Ganancias realizadas', 'Realisierte Gewinne', 'income statement', 'income', '4210', '7700', '2725', '4905'),
  (33, 'income:gains:fx', '', 'Foreign exchange gains', 'Diferencias positivas de cambio', 'Erträge aus der Währungsumrechnung', 'income statement', 'income', '4220', '7680', '2660', '4840'),
  (34, 'income:*', '', 'Other income', 'Otros ingresos', 'Sonstige Erträge', 'income statement', 'income', '4900', '7780', '2709', '4839'),
  (35, 'expenses:fees:trading', '', 'Trading fees', 'Comisiones de negociación', 'Handelsgebühren', 'income statement', 'expenses', '5110', '6261', '4971', '6856'),
  (36, 'expenses:fees:network', '', 'Network fees', 'Comisiones de red', 'Netzwerkgebühren', 'income statement', 'expenses', '5120', '6262', '4972', '6857'),
  (37, 'expenses:fees:teller', '', 'Deposit and withdrawal fees', 'Comisiones de ingreso y retirada', 'Ein- und Auszahlungsgebühren', 'income statement', 'expenses', '5130', '6263', '4973', '6858'),
  (38, 'expenses:fees:*', '', 'Other fees', 'Otras comisiones', 'Sonstige Gebühren', 'income statement', 'expenses', '5190', '6269', '4970', '6855'),
  (39, 'expenses:losses:realised', '', 'Realised losses', 'Pérdidas realizadas', 'Realisierte Verluste', 'income statement', 'expenses', '5210', '6700', '2325', '6905'),
  (40, 'expenses:losses:fx', '', 'Foreign exchange losses', 'Diferencias negativas de cambio', 'Aufwendungen aus der Währungsumrechnung', 'income statement', 'expenses', '5220', '6680', '2150', '6880'),
  (41, 'expenses:rounding', '', 'Rounding', 'Redondeo', 'Rundung', 'income statement', 'expenses', '5310', '6690', '2309', '6309'),
  (42, 'expenses:*', '', 'Other expenses', 'Otros gastos', 'Sonstige Aufwendungen', 'income statement', 'expenses', '5900', '6780', '2300', '6300')
) as l (line, account, class, name_en, name_es, name_de, statement, statement_class, ifrs, pgc, skr03, skr04)
cross join lateral (values ('ifrs', l.ifrs), ('pgc', l.pgc), ('skr03', l.skr03), ('skr04', l.skr04)) as t (template, code);
comment on view books.chart_templates is
  'One row per line of a chart of accounts that comes with the program. They are proposals: an accountant decides which to use.';
comment on column books.chart_templates.template is 'ifrs, pgc (Spain), skr03 or skr04 (Germany).';
