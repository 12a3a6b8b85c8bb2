// The statements about one entity that read the books of others, with the reason.

const JOURNAL =
  'a journal of an entity from its first day on: its entries are joined with the legs or trades of all by a hash';

export const FOR_ALL: Readonly<Record<string, string>> = {
  'books_internal.named_ends': 'each end is looked for among the pockets of all entities',
  'reports/checks.sql': 'lots belong to a taxpayer, and those of all are summed',
  'close/reports.sql': 'lots belong to a taxpayer, and those of all are summed',
  'reports/open_lots.sql': 'lots belong to a taxpayer, and those of all are looked at',
  'reports/prices_used.sql': 'a function that the planner may not open up finds the rates of all',
  'journals/accounts.sql': JOURNAL,
  'journals/postings.sql': JOURNAL,
  'journals/prices.sql': JOURNAL,
  'checks/blocked_not_explained.sql': 'the orders that the run landed, once for all entities',
};
