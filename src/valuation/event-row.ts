// A row of the cursor over a taxpayer's entries.

export type EventRow = {
  entity_id: string;
  entry_id: string;
  effective_at: string;
  micros: string;
  period: string;
  kind: string;
  stream: string;
  record_id: string;
  version: number;
  reverses: string | null;
  description: string;
  /** When it takes effect: entries with the same text take effect together. */
  instant: string;
  debits: string[];
  credits: string[];
  currencies: string[];
  amounts: string[];
};
