// The small world with hard cases for the report page: names that are markup, a waiver, a gap, and rows that
// change the direction of text.
import type { Database } from '../../../src/database/connection.ts';
import { makeWorld } from '../world.ts';

export const SCRIPT = '<script>alert(1)</script>';
export const IMAGE = '"><img src=x onerror=alert(2)>';
const TURNED = 'paid \u202Eeslaf\u202C </style><style>*{display:none}</style>';

/** Fills a fresh database: the world of the export tests, one more set of books, and breaks of every status. */
export const makePageWorld = async (database: Database): Promise<void> => {
  await makeWorld(database);
  const { pool } = database;
  await pool.query(
    `insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
     values ($1, $2, 'Europe/Madrid', 'EUR', '2026-10-01T00:00:00Z')`,
    [SCRIPT, IMAGE],
  );
  await pool.query(
    `insert into land.coverage values ($1, 'movements', $2, '{[-infinity,2026-10-10T00:00:00Z),[2026-10-12T00:00:00Z,2026-11-02T00:00:00Z)}')`,
    [SCRIPT, IMAGE],
  );
  const openedAt = "'2026-10-20T02:01:00Z'";
  await pool.query(
    `insert into reconcile.breaks (entity_id, break_id, check_name, subject, account, currency, reported, booked, difference,
       status, reason, reason_parts, opened_at, since, run_id) values
     ($1, 'b6', 'pocket_tie_out', $2, $3, $4, 1234567.000000000000000001, 1, 1234566.000000000000000001, 'assigned', $5, $6, ${openedAt}, ${openedAt},
       '00000000-0000-4000-8000-000000000001'),
     ('main', 'b7; rm -rf', 'trading_tie_out', 's', 'assets:trading', 'EUR', 1, 3, -2, 'open', 'a shell''s delight $(id)', null, ${openedAt}, ${openedAt},
       '00000000-0000-4000-8000-000000000001')`,
    [
      SCRIPT,
      TURNED,
      `assets:pocket:${IMAGE}`,
      `X${IMAGE}`,
      TURNED,
      JSON.stringify({ kind: 'rejected', records: [`trades ${TURNED}`] }),
    ],
  );
  await pool.query(
    `insert into decide.waivers (entity_id, break_id, period, difference, by_name, reason, at)
     values ('main', 'b4', '2026-10', null, $1, $2, '2026-11-02T08:00:00Z')`,
    [`Ada ${IMAGE}`, 'known, and small'],
  );
};

/** What people call parts of this world: accents, a long word, markup. */
export const LABELS = {
  main: 'Inversiones Peñón de Ifach y Compañía, S.A.',
  [SCRIPT]: 'Vermögensverwaltungsgesellschaft Überlingen-Süd GmbH & Co KG',
  'assets:trading': 'Cuenta de negociación',
  [`assets:pocket:${IMAGE}`]: '<script>alert("label")</script>',
} as const;

/** Puts these labels in force. */
export const labelPageWorld = async ({ pool }: Database): Promise<void> => {
  await pool.query(
    `insert into decide.label_files (version, file_name, by_name, at, proposal_entity, proposal_id)
     values (1, 'labels.csv', 'Ada', '2026-11-01T00:00:00Z', 'main', 'opening')`,
  );
  for (const [id, label] of Object.entries(LABELS))
    await pool.query('insert into decide.labels (version, kind, id, label) values (1, $1, $2, $3)', [
      id.startsWith('assets:') ? 'account' : 'entity',
      id,
      label,
    ]);
};
