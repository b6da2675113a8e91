import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { Catalogue, type JsonObject, STANDARD_PLANS } from '@tollgate/core';
import type { z } from 'zod';
import {
  type CatalogueProblem, type CatalogueReading, type CatalogueSurroundings, DEFAULT_MINIMUM_RESERVATION, type LoadedCatalogue,
} from './loaded-catalogue.js';
import { type CatalogueEntry, catalogueSchema, UPSTREAM_KINDS, type UpstreamEntry } from './catalogue-schema.js';
import { contradictionsIn, danglingReferences } from './check-catalogue.js';
import { decodeModel, decodePlans, decodeUpstream } from './decode-entries.js';

/** More aliases than this in one file are an attack or a mistake. */
const MAXIMUM_ALIASES = 1_000;

export type Path = readonly (string | number)[];

/** A catalogue's text as plain data, able to tell the line of each of its parts. */
interface CatalogueText {
  /** Maps, lists and texts only: numbers stay as they were written, so that no price passes through a float. */
  readonly content: unknown;
  /** A part with numbers, booleans and nulls as YAML means them, for what is passed on rather than read. */
  typed(path: Path): unknown;
  /** The line of a part, or of the nearest thing around it that is there. */
  lineOf(path: Path): number;
}

export type TextReading = { readonly text: CatalogueText } | { readonly problems: readonly CatalogueProblem[] };

/** Reads YAML. The failsafe schema knows no numbers, booleans or nulls: all scalars are texts. */
function readCatalogueText(source: string): TextReading {
  const lines = new LineCounter();
  const document = parseDocument(source, { schema: 'failsafe', lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const problems = document.errors.map(({ pos: [offset], message }) => ({ line: lines.linePos(offset).line, path: '', message }));
  if (problems.length > 0) return { problems };
  return {
    text: {
      content: document.toJS({ maxAliasCount: MAXIMUM_ALIASES }) as unknown,
      typed: (path) => typedPart(source, path),
      lineOf: (path) => lines.linePos(offsetOf(document, path)).line,
    },
  };
}

function typedPart(source: string, path: Path): unknown {
  const document = parseDocument(source, { schema: 'core' });
  return path.reduce<unknown>((part, key) => (part as Readonly<Record<string, unknown>> | undefined)?.[key], document.toJS({ maxAliasCount: MAXIMUM_ALIASES }));
}

function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

const STANDARD_PLAN_IDS: ReadonlySet<string> = new Set(STANDARD_PLANS.map(({ id }) => id));

/** Reads a catalogue file's text, or tells everything that is wrong with it. Where its form is wrong, of how its parts fit together only the references are told. */
export function decodeCatalogue(source: string, surroundings: CatalogueSurroundings): CatalogueReading {
  const reading = readCatalogueText(source);
  if ('problems' in reading) return reading;
  const { text } = reading;
  const parsed = catalogueSchema.safeParse(text.content, { reportInput: true });
  if (!parsed.success) {
    const dangling = danglingReferences(text.content).map(({ path, message }) => problemAt(path, message, text));
    return { problems: [...parsed.error.issues.flatMap((issue) => problemsOf(issue, text)), ...dangling] };
  }
  const problems = contradictionsIn(parsed.data, surroundings.environment, STANDARD_PLAN_IDS)
    .map(({ path, message }) => problemAt(path, message, text));
  return problems.length > 0 ? { problems } : { loaded: load(parsed.data, text, surroundings) };
}

function load(entry: CatalogueEntry, text: CatalogueText, surroundings: CatalogueSurroundings): LoadedCatalogue {
  const upstreams = Object.entries(entry.upstreams)
    .map(([id, upstream]) => decodeUpstream(id, upstream, { ...surroundings, extraBody: extraBodyOf(id, upstream, text) }));
  const sandboxes = new Set(upstreams.filter(({ kind }) => kind === 'sandbox').map(({ id }) => id));
  const catalogue = new Catalogue({
    models: Object.entries(entry.models).map(([slug, model]) => decodeModel(slug, model, sandboxes)),
    plans: decodePlans(entry.plans ?? {}),
    usdPerServiceToken: entry.usd_per_service_token,
    minimumReservation: entry.minimum_reservation ?? DEFAULT_MINIMUM_RESERVATION,
  });
  return { catalogue, upstreams };
}

/** What a catalogue reads is text throughout, but a server wants numbers where an operator wrote numbers. */
function extraBodyOf(id: string, upstream: UpstreamEntry, text: CatalogueText): JsonObject | null {
  if (upstream.kind === 'sandbox' || upstream.extra_body === undefined) return null;
  return text.typed(['upstreams', id, 'extra_body']) as JsonObject;
}

type Issue = z.core.$ZodIssue;

function problemsOf(issue: Issue, text: CatalogueText): readonly CatalogueProblem[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => problemAt([...path, key], 'there is no such field', text));
  return [problemAt(path, messageOf(issue), text)];
}

const EXPECTED: Readonly<Record<string, string>> = { object: 'must be a map', record: 'must be a map', array: 'must be a list', string: 'must be a single value' };

function messageOf(issue: Issue): string {
  if (issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_type') return EXPECTED[issue.expected] ?? issue.message;
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  if (issue.code === 'invalid_union' && issue.path.at(-1) === 'kind') return `must be one of ${UPSTREAM_KINDS.join(', ')}`;
  return issue.message;
}

function problemAt(path: Path, message: string, text: CatalogueText): CatalogueProblem {
  return { line: text.lineOf(path), path: pathText(path), message };
}

/** `models.small.targets[0].upstream` */
function pathText(path: Path): string {
  return path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('').replace(/^\./, '');
}
