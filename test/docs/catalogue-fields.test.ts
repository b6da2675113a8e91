import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { catalogueSchema } from '../../packages/adapters-config/src/catalogue/catalogue-schema.js';
import { readDocument } from './documents.js';

const [, SECTION = ''] = readDocument('docs/configuration.md').text.split('\n## The catalogue file\n');

/** Names of all properties in a JSON Schema, at any depth. */
function fieldsIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const properties = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...properties, ...Object.values(schema).flatMap(fieldsIn)];
}

const FIELDS = new Set(fieldsIn(z.toJSONSchema(catalogueSchema, { io: 'input', unrepresentable: 'any' })));

test('configuration.md names every field of a catalogue', () => {
  expect(FIELDS.size).toBeGreaterThan(50);
  expect([...FIELDS].filter((field) => !new RegExp(`\`${field}\``, 'u').test(SECTION))).toEqual([]);
});

test('the tables of configuration.md name only fields that a catalogue may have', () => {
  const tables = SECTION.split('\n\n').filter((block) => /^\| Field\b/u.test(block));
  const named = tables.flatMap((table) => table.split('\n').slice(2)).flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z_]+)`/gu)].map(([, field = '']) => field));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((field) => !FIELDS.has(field))).toEqual([]);
});
