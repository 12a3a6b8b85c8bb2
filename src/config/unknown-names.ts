// Names in the environment that are no setting. Timezone and currency cannot be changed once the books have an entry, so a
// mistyped name is a mistake, and not a default. Names that are near no setting belong to others, such as the address of a service.
import { nearestName } from '../base/similar.ts';
import type { Env } from './setting-forms.ts';
import { common, gateway, monitor, noticeVariables, webhook } from './variables.ts';

const SETTINGS = [
  ...Object.keys({ ...common, ...gateway, ...monitor, ...webhook }),
  'GATEWAY_API_SECRET_FILE',
  'TIEOUT_WEBHOOK_KEY_FILE',
];
const OURS = SETTINGS.filter((name) => /^(GATEWAY|TIEOUT)_/.test(name));
const KNOWN: ReadonlySet<string> = new Set([...SETTINGS, ...Object.values(noticeVariables)]);

/** How many letters of a name may differ: a short one, such as GATEWAY_RPM, is near to names that others may well use. */
const lettersMax = (name: string): number => (name.length - name.indexOf('_') <= 6 ? 1 : 2);

/** The setting that a name stands for; none for one that ends in a digit, as that of a second key does. */
const meant = (name: string): string | undefined => {
  if (/\d$/.test(name)) return undefined;
  const nearest = nearestName(name.toUpperCase(), OURS);
  return nearest && nearest.letters <= lettersMax(nearest.name) ? nearest.name : undefined;
};

/** A mistake for each name that is almost that of a setting. */
export const mistypedNames = (env: Env): string[] =>
  Object.keys(env).flatMap((name) => {
    const known = KNOWN.has(name) ? undefined : meant(name);
    return known === undefined
      ? []
      : [`${name} is no setting of tieout: write ${known}, or another name if it is not for tieout`];
  });

/** The names with the beginning of our settings that are none: tieout ignores them. */
export const ignoredNames = (env: Env): string[] =>
  Object.keys(env).filter((name) => /^(GATEWAY|TIEOUT)_/.test(name) && !KNOWN.has(name));
