import { expect, it } from '@jest/globals';
import * as germanConsent from '../texts/de/consent.js';
import * as germanEntry from '../texts/de/entry.js';
import * as germanFactors from '../texts/de/factors.js';
import * as germanProof from '../texts/de/proof.js';
import * as consent from '../texts/en/consent.js';
import * as entry from '../texts/en/entry.js';
import * as factors from '../texts/en/factors.js';
import * as proof from '../texts/en/proof.js';

/** Words that only people who run the installation understand: settings in capitals, commands, places on its machine. */
const OPERATORS_WORDS = /\b[A-Z]{3,}_[A-Z_]+\b|\b(?:SECRET|PORT)\b|tollgate [a-z]|npm |\bfolders? of|\bvariable|\bsettings?\b|\blogs?\b|command line|Ordner der|Umgebungsvariable|Einstellung|Befehl|\bLog\b|Maschine des/u;
/** Texts for operators alone, who need the command line to set up their first factor. */
const TO_OPERATORS: ReadonlySet<string> = new Set(['operatorLinkLead', 'operatorLinkCommand']);

type Text = string | ((...values: readonly string[]) => string) | { readonly [name: string]: Text };

function textsIn(text: Text): readonly string[] {
  if (typeof text === 'string') return [text];
  if (typeof text === 'function') return [text('x', 'y')];
  return Object.entries(text).flatMap(([name, part]) => (TO_OPERATORS.has(name) ? [] : textsIn(part)));
}

it.each([
  ['English', [consent, entry, factors, proof]], ['German', [germanConsent, germanEntry, germanFactors, germanProof]],
])('the pages before sign-in use no words that only people who run the installation understand, in %s', (_language, areas) => {
  const texts = textsIn(Object.assign({}, ...areas) as Text);
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.filter((text) => OPERATORS_WORDS.test(text))).toEqual([]);
});
