// The types of a counterparty, which say who is on the other side of a posting to equity:external:*.

/** Those that a person may state. */
export const STATED_TYPES = ['own', 'own-entity', 'third-party', 'platform'] as const;
export const COUNTERPARTY_TYPES = [...STATED_TYPES, 'unknown'] as const;
