import { expect, test } from 'vitest';
import { announced, begun } from '../../src/extract/ahead.ts';
import type { Walk } from '../../src/extract/step.ts';

type Row = { readonly id: string };

/** A walk of one page for each id, which notes what was requested and how many fresh records were landed. */
async function* pagesOf(ids: readonly string[], seen: string[]): Walk<Row, null> {
  for (const id of ids) {
    seen.push(`requested ${id}`);
    if (id === 'bad') throw new Error('no answer');
    const { fresh } = yield { page: { rows: [{ id }], proof: null, isFull: false } };
    seen.push(`landed ${fresh} of ${id}`);
  }
}

const land = async (walk: Walk<Row, null>): Promise<string[]> => {
  const ids: string[] = [];
  for (let next = await walk.next({ fresh: 0 }); !next.done; next = await walk.next({ fresh: ids.length }))
    ids.push(...(next.value.page?.rows ?? []).map(({ id }) => id));
  return ids;
};

test('a walk that has begun requests its first page at once, and its others as they land', async () => {
  const seen: string[] = [];
  const walk = begun(pagesOf(['a', 'b'], seen));
  expect(seen).toEqual(['requested a']);
  expect(await land(walk)).toEqual(['a', 'b']);
  expect(seen).toEqual(['requested a', 'landed 1 of a', 'requested b', 'landed 2 of b']);
});

test('its failure reaches whoever reads it, and nobody else', async () => {
  begun(pagesOf(['bad'], []));
  const read = begun(pagesOf(['bad'], []));
  await new Promise(setImmediate);
  await expect(land(read)).rejects.toThrow('no answer');
});

test('an answer is announced once, before it lands; a failure is not', async () => {
  const seen: string[] = [];
  const onAnswer = () => void seen.push('answered');
  expect(await land(announced(pagesOf(['a', 'b'], seen), onAnswer))).toEqual(['a', 'b']);
  expect(seen.slice(0, 3)).toEqual(['requested a', 'answered', 'landed 1 of a']);
  expect(seen.filter((event) => event === 'answered')).toHaveLength(1);
  await expect(land(announced(pagesOf(['bad'], seen), onAnswer))).rejects.toThrow('no answer');
  expect(seen.filter((event) => event === 'answered')).toHaveLength(1);
});
