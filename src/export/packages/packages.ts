// The accounting packages that journals are written for, by the name that the user types.
import { DATEV } from './datev.ts';
import { HOLDED } from './holded.ts';
import type { PackageFormat } from './package.ts';
import { QUICKBOOKS } from './quickbooks.ts';
import { XERO } from './xero.ts';

const PACKAGES = { xero: XERO, quickbooks: QUICKBOOKS, datev: DATEV, holded: HOLDED } as const;

export type PackageName = keyof typeof PACKAGES;

export const PACKAGE_NAMES = Object.keys(PACKAGES) as PackageName[];

/** Whether a format is an accounting package's. */
export const isPackage = (name: string): name is PackageName => (PACKAGE_NAMES as string[]).includes(name);

export const packageOf = (name: PackageName): PackageFormat => PACKAGES[name];
