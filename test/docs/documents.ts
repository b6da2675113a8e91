import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const projectRoot = join(import.meta.dirname, '../..');

/** `path` is relative to the project. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

export function allDocuments(): readonly Document[] {
  const paths: readonly string[] = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/**/*.md', { cwd: projectRoot }), ...globSync('packages/*/README.md', { cwd: projectRoot })];
  return paths.filter((path) => existsSync(join(projectRoot, path))).toSorted().map(readDocument);
}

export function readDocument(path: string): Document {
  return { path, text: readFileSync(join(projectRoot, path), 'utf8') };
}

interface Line {
  readonly text: string;
  /** True if the line is code. */
  readonly fenced: boolean;
}

function linesOf(document: Document): readonly Line[] {
  let fenced = false;
  return document.text.split('\n').map((text) => {
    const fence = /^\s*```/u.test(text);
    if (fence) fenced = !fenced;
    return { text, fenced: fenced || fence };
  });
}

export function proseOf(document: Document): readonly string[] {
  return linesOf(document).filter(({ fenced }) => !fenced).map(({ text }) => text);
}

/** Index of the line after a mark. A mark such as `<!-- tested: error-codes -->` tells a test which block follows. */
function lineAfterMark(lines: readonly string[], document: Document, name: string): number {
  const marks = lines.flatMap((line, index) => (line.trim() === `<!-- tested: ${name} -->` ? [index] : []));
  if (marks.length !== 1) throw new Error(`${document.path} has ${marks.length} marks named ${name}, not one`);
  return lines.findIndex((line, index) => index > (marks[0] ?? 0) && line.trim() !== '');
}

function cellsOf(row: string): readonly string[] {
  return row.trim().replace(/^\||\|$/gu, '').split(/(?<!\\)\|/u).map((cell) => cell.trim().replaceAll('\\|', '|').replaceAll('`', ''));
}

/** Rows of the table after a mark, without its heading and without backticks. */
export function tableRows(document: Document, name: string): readonly (readonly string[])[] {
  const lines = document.text.split('\n');
  const start = lineAfterMark(lines, document, name);
  const end = lines.findIndex((line, index) => index >= start && !line.trim().startsWith('|'));
  const rows = lines.slice(start, end === -1 ? undefined : end);
  if (rows.length < 3) throw new Error(`${document.path} has no table after the mark ${name}`);
  return rows.slice(2).map(cellsOf);
}

export function codeBlock(document: Document, name: string): string {
  const lines = document.text.split('\n');
  const start = lineAfterMark(lines, document, name);
  const end = lines.findIndex((line, index) => index > start && line.trim().startsWith('```'));
  if (!(lines[start] ?? '').trim().startsWith('```') || end === -1) throw new Error(`${document.path} has no code block after the mark ${name}`);
  return lines.slice(start + 1, end).join('\n');
}

export interface Link {
  /** Path of the target; empty if it is on the same page. */
  readonly path: string;
  /** Anchor of a heading; `null` if the link is to the whole page. */
  readonly anchor: string | null;
}

/** Links from a page to files of the project or to its own headings. */
export function relativeLinks(document: Document): readonly Link[] {
  const targets = proseOf(document).flatMap((line) => [...withoutCode(line).matchAll(/\]\(([^()\s]+)\)/gu)].map((match) => match[1] ?? ''));
  return targets.filter((target) => !/^[a-z][a-z+.-]*:/iu.test(target)).map((target) => {
    const [path = '', anchor] = target.split('#');
    return { path, anchor: anchor ?? null };
  });
}

/** Anchors of all headings of a page, in the form that links use. */
export function anchorsOf(document: Document): readonly string[] {
  return proseOf(document).filter((line) => /^#{1,6} /u.test(line)).map((line) =>
    line.replace(/^#+ /u, '').toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').trim().replaceAll(' ', '-'),
  );
}

export function withoutCode(line: string): string {
  return line.replace(/`[^`]*`/gu, '`x`');
}

export function codeSpans(document: Document): readonly string[] {
  return proseOf(document).flatMap((line) => [...line.matchAll(/`([^`]+)`/gu)].map((match) => match[1] ?? ''));
}
