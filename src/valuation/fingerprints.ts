// Fingerprints: the sources of a month's values as one text.
import type { Kysely } from 'kysely';
import { sha256 } from '../base/json.ts';
import { DAY_MS, msOf } from '../base/time.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { lastUpTo } from './last-up-to.ts';
import type { CountedMonth, Sources } from './sources.ts';
import type { Taxpayer } from './taxpayers.ts';

/** Increased when the program would derive other values from the same books. */
const RULES = 1;

/** Makes the fingerprint of a month from its facts. */
export type Fingerprint = (month: CountedMonth) => string;

/** Makes the fingerprints of these taxpayers with today's rates, lots and rules. */
export const fingerprinter = async (
  db: Kysely<DB>,
  taxpayers: readonly Taxpayer[],
  sources: Pick<Sources, 'entities'>,
): Promise<(taxpayer: Taxpayer) => Fingerprint> => {
  const rates = new Map<string, RateCounts>();
  for (const { currency } of taxpayers)
    if (!rates.has(currency)) rates.set(currency, await rateCounts(db, currency));
  return (taxpayer) => {
    const { name, method, rulesText, currency, entities } = taxpayer;
    const rules = [RULES, name, entities, method, rulesText, currency];
    const { externalLots, chosen, untilMicros } = lotsOf(taxpayer, sources);
    return ({ entries, last_at, counterparties }) => {
      const until = Math.max(msOf(last_at) * 1_000 + 999, untilMicros); // an instant may have microseconds
      const facts = { entries, ...rates.get(currency)?.(until), externalLots, chosen };
      const text = JSON.stringify([...rules, facts, counterparties]);
      return sha256(text).slice(0, 16);
    };
  };
};

/** The externally held lots of a taxpayer, and until when the cost of a lot needs rates: the end of the day of its purchase. */
const lotsOf = (
  { entities }: Taxpayer,
  sources: Pick<Sources, 'entities'>,
): { readonly externalLots: number; readonly chosen: string; readonly untilMicros: number } => {
  const own = entities.flatMap((entity) => sources.entities.get(entity) ?? []);
  const days = own.flatMap(({ last_on }) =>
    last_on === null ? [] : [msOf(`${last_on}T00:00:00Z`) + DAY_MS],
  );
  return {
    externalLots: own.reduce((sum, { external_lots }) => sum + external_lots, 0),
    chosen: own.map(({ last_choice }) => last_choice).join(' '),
    untilMicros: days.length === 0 ? 0 : Math.max(...days) * 1_000,
  };
};

/** The number of rates up to an instant in microseconds since 1970: the gateway's, and official ones. */
type RateCounts = (micros: number) => { readonly rates: number; readonly official: number };

type RateTime = { is_official: boolean; micros: string; rates: number };

type Counted = { readonly micros: number; readonly until: number };

/**
 * The rates of all currencies but one. A rate after the last entry of a month decides none of its values, so a night without entries derives
 * nothing again although it lands rates.
 */
const rateCounts = async (db: Kysely<DB>, currency: string): Promise<RateCounts> => {
  const times = await readRows<RateTime>(db, loadSql('valuation/rate_times.sql', { currency }));
  const rates = summed(times.filter(({ is_official }) => !is_official));
  const official = summed(times.filter(({ is_official }) => is_official));
  return (micros) => ({ rates: countUntil(rates, micros), official: countUntil(official, micros) });
};

const summed = (times: readonly RateTime[]): Counted[] => {
  let until = 0;
  return times.map(({ micros, rates }) => {
    until += rates;
    return { micros: Number.parseInt(micros, 10), until };
  });
};

const countUntil = (times: readonly Counted[], micros: number): number => lastUpTo(times, micros)?.until ?? 0;
