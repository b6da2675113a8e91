import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Folders with the sources; tests and test support in them are not read. */
const FOLDERS = ['packages', 'apps'];
const LEFT_OUT = new Set(['node_modules', 'dist', 'test', 'test-support', 'testkit', 'dashboard']);
const SOURCE = /(?<!\.test)\.(?:ts|sql|lua)$/;

const TOP_LEVEL = /^(?:export )?(?:default )?(?:abstract )?(?:async )?(?:function\*?|class|const|interface|type|enum) (\w+)/;
const MEMBER = /^ {2}(?:(?:private|protected|static|override|readonly|async|get|set)\b ?)*(?:\* ?)?#?(\w+)(?:<[^(]*>)?(?:\(| = |: )/;
const IN_SCRIPT = /^\s*(?:create (?:or replace )?|local )function (\w+)/;

/** The sources and the declarations in them, by name. The name of a file without its extension stands for the whole file. */
export class SourceIndex {
  #regions = new Map();

  constructor(checkout) {
    for (const file of FOLDERS.flatMap((folder) => sourcesBelow(join(checkout, folder)))) this.#add(file, readFileSync(file, 'utf8').split('\n'));
  }

  #add(file, lines) {
    const whole = { name: basename(file).replace(/\.\w+$/, ''), from: 0, to: lines.length };
    for (const { name, from, to } of [whole, ...declarationsOf(file, lines)]) {
      this.#regions.set(name, [...this.#regions.get(name) ?? [], { file, lines, from, to }]);
    }
  }

  has(name) {
    return this.#regions.has(name);
  }

  /** Places in the declaration that contain the statement, whatever the white space. */
  find(name, statement) {
    const wanted = plain(statement);
    const places = (this.#regions.get(name) ?? []).flatMap(({ file, lines, from, to }) => (
      matchesIn(lines.slice(from, to).map(plain), wanted).map((match) => ({ file, from: from + match.from, to: from + match.to }))));
    return [...new Map(places.map((place) => [`${place.file}:${place.from}`, place])).values()];
  }
}

/** Declarations in a file; each ends where the next one of its level begins. */
function declarationsOf(file, lines) {
  const inScripts = positionsOf(lines, IN_SCRIPT);
  if (!file.endsWith('.ts')) return regionsOf(inScripts, lines.length);
  const outer = regionsOf(positionsOf(lines, TOP_LEVEL), lines.length);
  const members = outer.filter(({ from }) => /\bclass \w/.test(lines[from])).flatMap(({ name, from, to }) => (
    regionsOf(positionsOf(lines.slice(0, to), MEMBER, from), to).flatMap((member) => [member, { ...member, name: `${name}.${member.name}` }])));
  return [...outer, ...members, ...regionsOf(inScripts, lines.length)];
}

function positionsOf(lines, pattern, from = 0) {
  return lines.slice(from).flatMap((line, index) => {
    const name = pattern.exec(line)?.[1];
    return name === undefined ? [] : [{ name, from: from + index }];
  });
}

function regionsOf(positions, end) {
  return positions.map(({ name, from }, index) => ({ name, from, to: positions[index + 1]?.from ?? end }));
}

function sourcesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : sourcesBelow(path);
    return SOURCE.test(entry.name) ? [path] : [];
  });
}

/** The text without whitespace. */
function plain(text) {
  return text.replace(/\s+/g, '');
}

function matchesIn(lines, wanted) {
  return lines.flatMap((first, from) => {
    if (first === '' || !wanted.startsWith(first)) return [];
    let text = '';
    let to = from;
    while (to < lines.length && text.length < wanted.length) text += lines[to++];
    return text === wanted ? [{ from, to }] : [];
  });
}
