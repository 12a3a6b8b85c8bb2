// Profiles: proposes to whom an entity's books belong, and lists the profiles.
import { sql } from 'kysely';
import {
  EMPTY_PROFILE,
  type Profile,
  profilesChange,
  profilesOf,
  type WantedProfile,
} from '../approvals/approvals.ts';
import type { Books } from '../database/connection.ts';
import { offlineResult, settingsOf } from '../run/run.ts';
import type { Work } from '../run/work.ts';
import { type SubmittedProposal, submitProposal } from './proposals.ts';

/** Proposes a file's profiles, all or none. */
export const importProfiles = async (
  work: Work,
  { wanted, by }: { readonly wanted: readonly WantedProfile[]; readonly by: string },
): Promise<SubmittedProposal> => {
  const { entity } = work.config;
  const content = await profilesChange(work.db, { wanted, settings: settingsOf(work.config) });
  if (content === null)
    return {
      result: offlineResult(0, 'no profile differs: nothing was proposed'),
      shown: null,
      isNew: false,
    };
  return submitProposal(work, { by, reason: content.description, evidence: null }, { entity, content });
};

/** Proposes changes to some fields of one entity's profile. */
export const setProfile = async (
  work: Work,
  {
    entity,
    changes,
    by,
  }: { readonly entity: string; readonly changes: Partial<Profile>; readonly by: string },
): ReturnType<typeof importProfiles> => {
  const { version: _, ...now } = (await profilesOf(work.db)).get(entity) ?? { ...EMPTY_PROFILE, version: 0 };
  return importProfiles(work, { wanted: [{ entity, profile: { ...now, ...changes }, where: '' }], by });
};

export type ProfileRow = Profile &
  Readonly<Record<'entity_id' | 'set_by' | 'set_at', string | null>> & {
    readonly version: number | null;
    readonly is_read: boolean;
  };

/** Every entity that has books or is listed by the gateway, with its profile in force. */
export const profileRows = async (db: Books): Promise<ProfileRow[]> => {
  const { rows } = await sql<ProfileRow>`
    select entity_id, legal_name, tax_id, taxpayer, owner, currency, timezone, cost_method, lot_rules, residence, version, set_by, set_at,
      fiscal_year_start::text as fiscal_year_start,
      coalesce(s.is_read, exists (select from books.coverage c where c.entity_id = p.entity_id)) as is_read
    from books.profiles p
    full join (select entity_id, bool_or(is_read) as is_read from books_internal.subaccounts group by 1) as s using (entity_id)
    order by entity_id collate "C"`.execute(db);
  return rows;
};
