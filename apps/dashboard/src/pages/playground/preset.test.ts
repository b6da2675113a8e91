import { describe, expect, it } from '@jest/globals';
import { parseSearch, textSearch } from '../../routing.js';
import { DEFAULT_SETTINGS, linkTo, MAX_LINK_CHARACTERS, presetOf, settingsFrom } from './preset.js';
import { PRESET_PARAMETERS } from './preset-parameters.js';

describe('a link to settings of the playground', () => {
  const settings = { model: 'm', format: 'responses', system: 'Be brief.\n“Yes” & no?', maximum: '20', temperature: '0.5', topP: '0.9', stop: 'END\n###', effort: 'low', tools: '[]' } as const;

  it('opens the playground with the same settings', () => {
    const link = linkTo('https://gateway.example', presetOf(settings, 'other')) ?? '';
    const search = textSearch('try', ...PRESET_PARAMETERS)(parseSearch(new URL(link).search));
    expect([settingsFrom(search, 'm'), search.compare]).toEqual([settings, 'other']);
  });

  it('omits settings that have their default', () => {
    expect(linkTo('https://gateway.example', presetOf({ ...DEFAULT_SETTINGS, model: 'm' }, null))).toBe('https://gateway.example/dashboard/playground?model=m&format=chat');
  });

  it('opens with the defaults if its format or effort is unknown', () => {
    expect(settingsFrom({ format: 'xml', effort: 'most' }, 'm')).toEqual({ ...DEFAULT_SETTINGS, model: 'm' });
  });

  it('is not offered if it would be too long', () => {
    expect(linkTo('https://gateway.example', presetOf({ ...settings, system: 'x'.repeat(MAX_LINK_CHARACTERS) }, null))).toBeNull();
  });
});
