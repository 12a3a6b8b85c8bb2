// When a personal field equals the text of a request, and how the request is stored.
import { expect, test } from 'vitest';
import { seal } from '../../src/privacy/people.ts';
import { checkedText, commitmentOf, formOf, formsOf } from '../../src/privacy/search-text.ts';

const KEY = Buffer.alloc(32, 7);

/** Whether the search finds a record with these fields. */
const equals = (record: object, text: string): boolean => formsOf(seal(record, KEY).people).has(formOf(text));

test.for([
  ['the same', { email: 'luz@example.org' }, 'luz@example.org'],
  ['blanks around it', { alias: ' @luz ' }, '@luz\n'],
  ['capitals', { fullName: 'Luz Pérez' }, 'LUZ PÉREZ'],
  ['an accent as two characters', { fullName: 'Luz Pérez' }, 'Luz Pe\u0301rez'],
  ['an IBAN in groups', { iban: 'ES9121000418450200051332' }, 'ES91 2100 0418 4502 0005 1332'],
  ['a character that nobody sees', { note: 'rent\u200b of March' }, 'rent of March'],
  ['a part of an object', { phone: { countryCode: '+34', number: '600000001' } }, '600000001'],
  ['a phone with its country', { phone: { countryCode: '+34', number: '600000001' } }, '+34 600 000 001'],
  [
    'one of a list',
    { origin: { emails: ['a@example.org', 'b@example.org'], email: 'c@example.org' } },
    'c@example.org',
  ],
  ['a name in two fields', { origin: { firstName: 'Luz', surname: 'Pérez' } }, 'Luz Pérez'],
  ['the same, the other way round', { origin: { firstName: 'Luz', surname: 'Pérez' } }, 'Pérez Luz'],
] as const)('equal: %s', ([, record, text]) => {
  expect(equals(record, text)).toBe(true);
});

test.for([
  ['a part of a word', { fullName: 'Luz Pérez' }, 'Luz'],
  ['more than is there', { fullName: 'Luz' }, 'Luz Pérez'],
  ['names of two people', { origin: { firstName: 'Luz' }, destination: { surname: 'Pérez' } }, 'Luz Pérez'],
  ['without its accent', { fullName: 'Luz Pérez' }, 'Luz Perez'],
  ['a field that is not personal', { status: 'Luz' }, 'Luz'],
] as const)('not equal: %s', ([, record, text]) => {
  expect(equals(record, text)).toBe(false);
});

test('the stored form of a search is the same for the same text, differs under another key, and is in no record', () => {
  const commitment = commitmentOf(KEY, formOf('luz@example.org'));
  expect(commitmentOf(KEY, formOf('LUZ@example.org '))).toEqual(commitment);
  expect(commitmentOf(Buffer.alloc(32, 8), formOf('luz@example.org'))).not.toEqual(commitment);
  const { payload } = seal({ email: 'luz@example.org' }, KEY);
  expect(JSON.stringify(payload)).not.toContain(commitment.toString('hex'));
});

test('a blank text, and one that is part of a commitment, are refused', () => {
  const request = { by: 'Ana', reason: 'case 17 of  LUZ@example.org' };
  expect(() => checkedText(' \u200b', request)).toThrow('is blank');
  expect(() => checkedText('luz@example.org', request)).toThrow('use a case number');
  expect(() => checkedText('ana', request)).toThrow('--by or --reason');
  expect(checkedText('ben@example.org', request)).toBe('ben@example.org');
});
