// The logins of a home, for tests that work as a role.
import { rmSync } from 'node:fs';
import { readConfig } from '../../../src/config/environment.ts';
import { ROLES, type Role } from '../../../src/config/role.ts';
import { openAs } from '../../../src/database/logins.ts';
import { newFolder } from '../../room.ts';

/** Lends a home of its own, removed afterwards. */
export const withHome = async <T>(use: (home: string) => Promise<T>): Promise<T> => {
  const home = newFolder();
  try {
    return await use(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

/** The address of a database for every role, by logins made for it. */
export const addressesOf = (url: string): Promise<Record<Role, string>> =>
  withHome(async (home) => {
    const config = readConfig({ TIEOUT_HOME: home, DATABASE_URL: url });
    const addresses: Partial<Record<Role, string>> = {};
    for (const role of ROLES) {
      const opened = await openAs(config, url, role);
      await opened.database.close();
      addresses[role] = opened.url;
    }
    return addresses as Record<Role, string>;
  });
