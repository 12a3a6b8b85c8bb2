// Every message that a user can see is in one reviewed list, messages.txt, by room. After a change run vitest with -u, then
// read the difference: what happened, where, and what to type next, in plain words.
import { expect, test } from 'vitest';
import { roomOf, sourceOf, sourcesIn } from '../tidy/source.ts';
import { errorsIn, messagesIn } from './messages.ts';

const listed = (): string => {
  const rooms = new Map<string, Set<string>>();
  const sources = [...sourcesIn('src'), ...sourcesIn('jobs')];
  const errors = errorsIn(sources);
  for (const source of sources) {
    const room = rooms.get(roomOf(source.path)) ?? new Set();
    for (const message of messagesIn(source, errors)) room.add(message);
    rooms.set(roomOf(source.path), room);
  }
  return [...rooms]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .filter(([, messages]) => messages.size > 0)
    .map(
      ([room, messages]) =>
        `${room}\n${[...messages]
          .sort()
          .map((text) => `  ${text}\n`)
          .join('')}`,
    )
    .join('\n');
};

test('messages.txt is the list of every message', async () => {
  await expect(listed()).toMatchFileSnapshot('messages.txt');
});

test('a message is found in each of its forms', () => {
  const text = `
    const ADVICE = 'run it again';
    const refuse = (name, isLate) => {
      if (isLate) throw new UsageError(\`\${name} is late: \` + ADVICE);
      throw new FailedError(isLate ? 'it is too late' : \`\${name} is not there\`);
    };
    class LateError extends FailedError {
      constructor() {
        super('the night is late');
      }
    }
    const later = () => new BusyError('another run is at work');
    const other = () => new Error('never seen by a person');
    const finding = { subject: 'clock', detail: \`the clock of \${finding} is wrong\` };
    const others = { shown: 'not a message of ours' };`;
  const source = sourceOf('src/a/a.ts', text);
  expect(errorsIn([source])).toEqual(['LateError']);
  expect(messagesIn(source, ['UsageError', 'FailedError', 'BusyError'])).toEqual([
    '… is late: run it again',
    'it is too late',
    '… is not there',
    'the night is late',
    'another run is at work',
    'the clock of … is wrong',
  ]);
});
