// One tie-out: reported, booked, and the meaning of their difference.
import { describe, expect, test } from 'vitest';
import type { Effect } from '../../src/breaks/not-final.ts';
import { type Claim, tieOut } from '../../src/reconcile/tie-out.ts';

const CLAIM: Claim = {
  account: 'assets:trading',
  currency: 'EUR',
  before: '100',
  reported: '100',
  booked: '100',
  isCovered: true,
  inBracket: '0',
  pending: [],
  unmatched: [],
  wasInFlight: false,
  transitSince: '2026-03-01T00:00:00.000Z',
};
const CLEARING = { account: 'assets:clearing:trading', before: '0', reported: '0' };

/** A result as a sentence. */
const sentenceOf = (claim: Partial<Claim>): string => {
  const { reported, booked } = { ...CLAIM, ...claim };
  const { status, difference, reason } = tieOut({ ...CLAIM, ...claim });
  const facts = `reported ${reported ?? 'nothing'}, booked ${booked}, difference ${difference ?? 'unknown'}`;
  return `${status}: ${facts}${reason ? `, because ${reason}` : ''}`;
};

const waiting = (record: string, amount: string): Effect => ({
  record,
  amount,
  at: '2026-03-01T10:00:00.000Z',
});

describe('a tie-out is', () => {
  const sentences: Record<string, [Partial<Claim>, string]> = {
    'tied where both say the same': [{}, 'tied: reported 100, booked 100, difference 0'],
    'tied where they differ in zeros only': [
      { reported: '100.00', booked: '100.000' },
      'tied: reported 100.00, booked 100.000, difference 0',
    ],
    'a break by the smallest amount there is': [
      { reported: '100.000000000000000001', before: '99' },
      'break: reported 100.000000000000000001, booked 100, difference 0.000000000000000001',
    ],
    'a break, with its sign, where less is reported than booked': [
      { reported: '90', before: '90' },
      'break: reported 90, booked 100, difference -10',
    ],
    'a break where a surplus is reported, too': [
      { reported: '110', before: '110' },
      'break: reported 110, booked 100, difference 10',
    ],
    'uncovered where nothing was reported': [
      { reported: null },
      'uncovered: reported nothing, booked 100, difference unknown, because the gateway did not report this balance',
    ],
    'uncovered where a stream was not read far enough': [
      { reported: '90', isCovered: false },
      'uncovered: reported 90, booked 100, difference -10, because a stream of this account is not proved complete',
    ],
    'tied where both agree, however far a stream was read': [
      { isCovered: false },
      'tied: reported 100, booked 100, difference 0',
    ],
    'in-flight where the earlier reading agreed': [
      { before: '100', reported: '90' },
      'in-flight: reported 90, booked 100, difference -10, because it changed while the streams were read',
    ],
    'in-flight where what is booked within the bracket is the whole difference': [
      { before: '90', reported: '90', inBracket: '10' },
      'in-flight: reported 90, booked 100, difference -10, because it changed while the streams were read',
    ],
    'a break where what is booked within the bracket points the other way': [
      { before: '90', reported: '90', inBracket: '-10' },
      'break: reported 90, booked 100, difference -10',
    ],
    'a break where it was in-flight the run before': [
      { before: '100', reported: '90', wasInFlight: true },
      'break: reported 90, booked 100, difference -10',
    ],
    'in-transit where a young move has no counterpart yet': [
      { ...CLEARING, booked: '25', unmatched: [waiting('movements m1', '25')] },
      'in-transit: reported 0, booked 25, difference -25, because no counterpart for movements m1 (25 EUR, 2026-03-01T10:00:00.000Z)',
    ],
    'a break where a move has waited too long for its counterpart': [
      {
        ...CLEARING,
        booked: '25',
        unmatched: [waiting('movements m1', '25')],
        transitSince: '2026-03-01T10:00:00.001Z',
      },
      'break: reported 0, booked 25, difference -25, because no counterpart for movements m1 (25 EUR, 2026-03-01T10:00:00.000Z)',
    ],
    'uncovered where a clearing account lacks a stream that was not read': [
      { ...CLEARING, booked: '25', isCovered: false, unmatched: [waiting('movements m1', '25')] },
      'uncovered: reported 0, booked 25, difference -25, because a stream of this account is not proved complete',
    ],
  };

  for (const [what, [claim, sentence]] of Object.entries(sentences))
    test(what, () => expect(sentenceOf(claim)).toBe(sentence));

  test('never in-flight on a clearing account, which the gateway does not report', () => {
    expect(tieOut({ ...CLAIM, ...CLEARING, booked: '25', inBracket: '25' }).status).toBe('break');
  });

  test('a break that names three transfers without a counterpart, and counts the others', () => {
    const unmatched = ['a', 'b', 'c', 'd', 'e'].map((name) => waiting(name, '5'));
    expect(tieOut({ ...CLAIM, ...CLEARING, booked: '25', unmatched }).reason).toMatch(/ and 2 more$/);
  });

  test('a break as soon as one of the transfers is too old, however new the others are', () => {
    const unmatched = [waiting('young', '5'), { ...waiting('old', '5'), at: '2026-02-01T00:00:00.000Z' }];
    expect(tieOut({ ...CLAIM, ...CLEARING, booked: '10', unmatched }).status).toBe('break');
  });

  test('exact at its time limit, to the microsecond', () => {
    const instant = '2026-03-01T00:00:00.000001Z';
    const unmatched = [{ ...waiting('m', '25'), at: instant }];
    const claim = { ...CLAIM, ...CLEARING, booked: '25', unmatched };
    expect(tieOut(claim).status).toBe('in-transit');
    expect(tieOut({ ...claim, transitSince: '2026-03-01T00:00:00.000002Z' }).status).toBe('break');
  });
});

describe('a difference is pending if it is exactly', () => {
  const pending = [waiting('w1', '-10'), waiting('w2', '-7'), waiting('w3', '40')];
  const sentences: [string, string, string][] = [
    ['all that waits', '123', 'w1, w2, w3'],
    ['all that goes out', '83', 'w1, w2'],
    ['one of those', '93', 'w2'],
    ['two of those', '130', 'w1, w3'],
  ];
  for (const [what, reported, names] of sentences) {
    test(`${what}: reported ${reported}, booked 100`, () => {
      const verdict = tieOut({ ...CLAIM, before: reported, reported, pending });
      expect(verdict.status).toBe('pending');
      expect(verdict.reason).toBe(`not final yet: ${names}`);
    });
  }

  test('and a break where it is anything else', () => {
    expect(tieOut({ ...CLAIM, before: '91', reported: '91', pending }).status).toBe('break');
  });

  test('of too many records to try, all of them or all outgoing ones', () => {
    const many = Array.from({ length: 13 }, (_, nth) => waiting(`w${nth}`, nth < 2 ? '-3' : '1'));
    const status = (reported: string) =>
      tieOut({ ...CLAIM, before: reported, reported, pending: many }).status;
    expect([status('105'), status('94'), status('101')]).toEqual(['pending', 'pending', 'break']);
  });

  test('pending takes precedence over in-flight, because it is more specific', () => {
    expect(tieOut({ ...CLAIM, before: '100', reported: '90', pending }).status).toBe('pending');
  });
});
