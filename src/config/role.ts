// The four roles that work on the books, and the variable for the address of each role's own login.

export const ROLES = ['loader', 'analyst', 'preparer', 'approver'] as const;
export type Role = (typeof ROLES)[number];

/** The environment variable that configures the address of a role's login. */
export const variableOf = (role: Role): string => `TIEOUT_${role.toUpperCase()}_URL`;
