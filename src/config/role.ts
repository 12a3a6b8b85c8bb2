// The four roles that work on the books, by name, and where a login of somebody else's for each is configured.

export const ROLES = ['loader', 'analyst', 'preparer', 'approver'] as const;
export type Role = (typeof ROLES)[number];

/** The variable with the address that somebody else's login for a role is given by. */
export const variableOf = (role: Role): string => `TIEOUT_${role.toUpperCase()}_URL`;
