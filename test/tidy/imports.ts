// The house rules on imports: their direction, circles, and the public modules of rooms and packages.
import { DOORS, OPEN, ROOMS } from './rooms.ts';
import { roomOf, type Source, targetOf } from './source.ts';
import { PACKAGES } from './tables.ts';

const isRelative = (from: string): boolean => from.startsWith('.');
const inCode = (path: string): boolean => /^(src|jobs)\//.test(path);

/** Whether one room may import another at all. */
const mayImport = (from: string, to: string): boolean => {
  if (from === to) return true;
  if (from === 'sandbox') return to === 'gateway' || to === 'base';
  return ROOMS.includes(to) && ROOMS.indexOf(to) < ROOMS.indexOf(from);
};

export const left = (source: Source): string[] =>
  source.imports
    .filter(({ from }) => inCode(source.path) && isRelative(from))
    .map(({ from }) => targetOf(source.path, from))
    .filter((target) => !mayImport(roomOf(source.path), roomOf(target)))
    .map((target) => `${source.path} imports ${target}`);

/** Whether a file of another room may be imported: the room is open, or the file is its public module. */
const isDoor = (target: string): boolean => {
  const room = roomOf(target);
  const name = target.replace(/^(src\/[^/]+|jobs)\/|\.ts$/g, '');
  return OPEN.includes(room) || (DOORS[room] ?? []).includes(name);
};

export const doors = (source: Source): string[] =>
  source.imports
    .filter(({ from, isType }) => inCode(source.path) && isRelative(from) && !isType)
    .map(({ from }) => targetOf(source.path, from))
    .filter((target) => roomOf(target) !== roomOf(source.path))
    .filter((target) => !isDoor(target))
    .map((target) => `${source.path} imports ${target}`);

const packageOf = (from: string): string => /^(@[^/]+\/[^/]+|[^/]+)/.exec(from)?.[0] ?? from;

export const oneDoor = (source: Source): string[] =>
  source.imports
    .filter(({ from }) => inCode(source.path) && !isRelative(from) && !from.startsWith('node:'))
    .filter(({ from }) => !PACKAGES[packageOf(from)]?.some((door) => door.test(source.path)))
    .map(({ from }) => `${source.path} imports ${from}`);

export const explicit = (source: Source): string[] =>
  source.imports
    .filter(({ from }) => isRelative(from) && !from.endsWith('.ts'))
    .map(({ from }) => `${source.path} imports ${from}`);

/** The first circle of imports, types included, as a path that ends where it starts; null if there is none. */
export const circleIn = (sources: readonly Source[]): string[] | null => {
  const graph = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.filter(({ from }) => from.startsWith('.')).map(({ from }) => targetOf(path, from)),
    ]),
  );
  const done = new Set<string>();
  const walk = (path: string, above: readonly string[]): string[] | null => {
    if (above.includes(path)) return [...above.slice(above.indexOf(path)), path];
    if (done.has(path)) return null;
    for (const next of graph.get(path) ?? []) {
      const circle = walk(next, [...above, path]);
      if (circle) return circle;
    }
    done.add(path);
    return null;
  };
  for (const path of graph.keys()) {
    const circle = walk(path, []);
    if (circle) return circle;
  }
  return null;
};
