import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OWN_TONES } from '@tollgate/identity';
import { accentTones } from './brand-accent.js';
import { mailAppearance } from './mail-appearance.js';
import { OWN_MARK } from './own-mark.js';
import { readSettings } from './settings.js';

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from('pixels')]);

function appearanceOf(environment: Readonly<Record<string, string>>) {
  const reading = readSettings(environment);
  if ('problems' in reading) throw new Error(reading.problems.join('\n'));
  return mailAppearance(reading.settings.brand);
}

describe('the appearance of mail', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-logo-'));
    writeFileSync(join(folder, 'logo.png'), PNG);
    writeFileSync(join(folder, 'large.png'), Buffer.concat([PNG, Buffer.alloc(65_536)]));
    writeFileSync(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("has Tollgate's own colours and logo if no brand is configured", () => {
    expect(appearanceOf({})).toEqual({ look: { ...OWN_TONES, hasPicture: true }, picture: OWN_MARK });
  });

  it('has the colours of the configured accent', () => {
    expect(appearanceOf({ BRAND_ACCENT: '#c2255c' }).look).toMatchObject(accentTones('#c2255c'));
  });

  it("has the operator's logo, if it is a PNG of at most 64 KiB", () => {
    expect(appearanceOf({ BRAND_NAME: 'Acme AI', BRAND_LOGO: join(folder, 'logo.png') })).toMatchObject({ look: { hasPicture: true }, picture: { mediaType: 'image/png', bytes: PNG } });
  });

  it.each([
    ['a logo in SVG', 'logo.svg'], ['a larger logo', 'large.png'], ['a logo that is missing', 'missing.png'], ['another name and no logo', null],
  ])('has no picture with %s', (_case, logo) => {
    expect(appearanceOf({ BRAND_NAME: 'Acme AI', ...(logo === null ? {} : { BRAND_LOGO: join(folder, logo) }) })).toMatchObject({ look: { hasPicture: false }, picture: null });
  });

  it("has the colours of the dashboard by default", () => {
    const tokens = readFileSync(new URL('../../../../apps/dashboard/src/theme/tokens.css', import.meta.url), 'utf8');
    const [, light = '', dark = ''] = /'light'\] \{(.*?)\n\}.*?'dark'\] \{(.*?)\n\}/s.exec(tokens) ?? [];
    for (const [scheme, rules] of [['light', light], ['dark', dark]] as const) {
      expect(rules).toContain(`--primary: ${OWN_TONES[scheme].fill};`);
      expect(rules).toContain(`--on-primary: ${OWN_TONES[scheme].onFill};`);
    }
  });
});
