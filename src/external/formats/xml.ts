// XML of a bank file, read strictly as a tree. The only file that imports saxes, which neither expands entities nor opens other
// files. A document type is refused, and depth and size are bounded.
import { SaxesParser } from 'saxes';
import type { RefuseFile } from '../statement.ts';

/** An element: its name without prefix, its attributes, its line in the file, and the text directly in it. */
export type XmlElement = {
  readonly name: string;
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
};

const DEPTH_MAX = 40;
const ELEMENTS_MAX = 5_000_000;

/** The root element. A file that is cut off or not well formed ends with its line. */
export const readXml = (text: string, refuse: RefuseFile): XmlElement => {
  const parser = new SaxesParser({ position: true, xmlns: false });
  const top: XmlElement = { name: '', line: 1, attributes: {}, children: [], text: '' };
  const open: XmlElement[] = [top];
  let elements = 0;
  parser.on('error', () =>
    refuse(parser.line, 'is not well-formed XML: the file is cut off or was changed; download it again'),
  );
  parser.on('doctype', () =>
    refuse(parser.line, 'has a document type, which no bank statement needs: download the file again'),
  );
  parser.on('opentag', (tag) => {
    elements += 1;
    if (open.length > DEPTH_MAX || elements > ELEMENTS_MAX)
      refuse(parser.line, `is deeper than ${DEPTH_MAX} levels or larger than ${ELEMENTS_MAX} elements`);
    const { name, attributes } = tag;
    const element: XmlElement = { name: bare(name), line: parser.line, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const addText = (piece: string) => {
    const element = open.at(-1);
    if (element) element.text += piece;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  return top.children[0] ?? refuse(1, 'has no element: the file is empty or cut off');
};

const bare = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The elements at a path below another one. */
export const elementsAt = (element: XmlElement, ...path: readonly string[]): XmlElement[] => {
  let found = [element];
  for (const name of path)
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name));
  return found;
};

/** The first text at a path, without blanks around it; '' if there is none. */
export const textAt = (element: XmlElement, ...path: readonly string[]): string =>
  elementsAt(element, ...path)[0]?.text.trim() ?? '';

/** All texts below an element with one of these names, at any depth. */
export const textsNamed = (element: XmlElement, names: ReadonlySet<string>): string[] =>
  element.children.flatMap((child) =>
    names.has(child.name) && child.children.length === 0
      ? [child.text.trim()].filter((text) => text !== '')
      : textsNamed(child, names),
  );
