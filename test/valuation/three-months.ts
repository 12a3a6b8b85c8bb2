// Three months of generated entries with official rates, for reports whose figures must agree whatever happened.
import { attoText } from '../../src/base/money.ts';
import { randomOf } from '../../src/sandbox/random.ts';
import { books, buy, made, sell } from './month-stand.ts';

/** Three months of purchases, sales (some of units never bought), fees in coins, gifts and transfers. */
export const lived = () => {
  const random = randomOf('open lots');
  const euro = () => attoText((random.units(10n ** 22n) / 10n ** 12n) * 10n ** 12n + 10n ** 18n);
  return Array.from({ length: 240 }, (_, nth) => {
    const units = `${1 + random.below(4)}.${1 + random.below(9)}`;
    const legs = random.pick([
      buy(units, euro()),
      [...buy(units, euro()), `expenses:fees:trading <- assets:trading 0.01 BTC`],
      sell(units, euro()),
      sell(units, euro()),
      ['assets:clearing:trading <- assets:pocket:b 1 BTC', 'assets:trading <- assets:clearing:trading 1 BTC'],
      ['assets:pocket:b <- assets:clearing:trading 2 BTC', 'assets:clearing:trading <- assets:trading 2 BTC'],
      [`assets:pocket:g <- equity:external:platform ${units} GEM`],
      [`assets:pocket:g <- equity:conversion ${units} ETH`, 'equity:conversion <- assets:pocket:e 50 EUR'],
      ['expenses:fees:network <- assets:pocket:g 0.3 ETH'],
    ]);
    const day = `2026-0${1 + Math.floor(nth / 80)}-${String(1 + Math.floor((nth % 80) / 3)).padStart(2, '0')}`;
    return made({ day, name: `t${nth}`, hour: String(10 + (nth % 3)) }, legs);
  });
};

/** Official rates of every day. */
export const rated = () =>
  books.pool.query(`
    with file as (
      insert into land.official_files (entity_id, source, name, sha256, by_name, at)
      values ('main', 'ecb', 'f', repeat('0', 64), 'Ada', now()) returning file_id
    )
    insert into land.official_rates (entity_id, currency, day, file_id, quote, rate)
    select 'main', coin.currency, day::date, file_id, 'EUR', coin.rate + extract(day from day) / 100
    from file, (values ('USD', 1.1), ('BTC', 0.01), ('ETH', 0.02), ('GEM', 3)) as coin (currency, rate),
      generate_series('2025-12-30'::timestamp, '2026-05-02', '1 day') as day`);
