// The months of an export that were closed or reopened after it: what differs then is no damage.
import type { SealReference } from '../../export/reports/manifest.ts';

type Seals = readonly SealReference[];

/** A sentence for each month whose seal in the manifest (`stated`, which anybody may have altered) is not the one in force. */
export const sealsSince = (stated: unknown, inForce: Seals): string[] => {
  const exported = (Array.isArray(stated) ? stated : []).filter(isReference);
  return [
    ...inForce.flatMap((seal) => closedSince(seal, sealOf(exported, seal)) ?? []),
    ...exported.filter((seal) => !sealOf(inForce, seal)).map(reopenedSince),
  ];
};

const isReference = (seal: unknown): seal is SealReference =>
  typeof seal === 'object' && seal !== null && 'entity' in seal && 'period' in seal;

const sealOf = (seals: Seals, { entity, period }: SealReference): SealReference | undefined =>
  seals.find((seal) => seal.entity === entity && seal.period === period);

const closedSince = (seal: SealReference, stated: SealReference | undefined): string | null => {
  const { entity, period, seal_number } = seal;
  if (!stated)
    return `${period} of ${entity} is closed with seal ${seal_number}, which the manifest does not name: if the month was closed after this export, export it again`;
  if (stated.seal_sha256 === seal.seal_sha256) return null;
  return `${period} of ${entity} has seal ${seal_number} (SHA-256 ${seal.seal_sha256}), the manifest names seal ${stated.seal_number} (${stated.seal_sha256}): if the month was reopened and closed again after this export, export it again`;
};

const reopenedSince = ({ entity, period, seal_number }: SealReference): string =>
  `${period} of ${entity} is open, the manifest names seal ${seal_number}: if the month was reopened after this export, export it again`;
