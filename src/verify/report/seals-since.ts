// The months of an export that were closed or reopened after it: what differs then is no damage.
import type { SealReference } from '../../export/reports/manifest.ts';

type Seals = readonly SealReference[];

/** A sentence for each month whose seal in the manifest (`stated`) is not the one in force today. */
export const sealsSince = (stated: Seals, inForce: Seals): string[] => [
  ...inForce.flatMap((seal) => closedSince(seal, sealOf(stated, seal)) ?? []),
  ...stated.filter((seal) => !sealOf(inForce, seal)).map(reopenedSince),
];

const sealOf = (seals: Seals, { entity, period }: SealReference): SealReference | undefined =>
  seals.find((seal) => seal.entity === entity && seal.period === period);

const closedSince = (seal: SealReference, stated: SealReference | undefined): string | null => {
  const { entity, period, seal_number } = seal;
  const month = `${period} of ${entity}`;
  if (!stated) return `${month} was closed after this export (seal ${seal_number}): export it again`;
  if (stated.seal_sha256 === seal.seal_sha256) return null;
  return `${month} has seal ${seal_number} (SHA-256 ${seal.seal_sha256}), the manifest names seal ${stated.seal_number} (${stated.seal_sha256}): if the month was reopened and closed again after this export, export it again`;
};

const reopenedSince = ({ entity, period, seal_number }: SealReference): string =>
  `${period} of ${entity} is open, the manifest names seal ${seal_number}: if the month was reopened after this export, export it again`;
