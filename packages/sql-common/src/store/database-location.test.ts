import { describe, expect, it } from '@jest/globals';
import { databaseNameOf } from './database-location.js';

describe('the name of a database', () => {
  it.each([
    ['postgresql://ann:secret@db.example:5432/books?sslmode=require', 'postgresql://db.example:5432/books'],
    ['postgres://ann@db.example/books', 'postgresql://db.example/books'],
    ['postgresql://[::1]:5432/books', 'postgresql://[::1]:5432/books'],
    ['postgresql:///books', 'postgresql://localhost/books'],
    ['postgresql://', 'postgresql://localhost'],
  ])('for the URL %s is %s', (url, name) => {
    expect(databaseNameOf(url)).toBe(name);
  });

  it.each([
    'postgresql://ann:the@secret@db.example/books', 'postgresql://ann:the/secret@db.example/books', 'postgresql://ann:the?secret@db.example/books',
    'postgresql://ann:the#secret@db.example/books', 'postgresql://ann:the/se:cret@db.example/books', 'postgresql://ann:1?the@db.example/books',
  ])('shows nothing of a password that is not escaped: %s', (url) => {
    expect(databaseNameOf(url)).not.toMatch(/ann|the|cret|1/);
  });
});
