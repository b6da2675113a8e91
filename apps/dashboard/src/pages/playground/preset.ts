import { type Effort, EFFORTS, type Settings } from './conversation';
import type { PRESET_PARAMETERS } from './preset-parameters';
import { FORMATS } from './reply';

export type Preset = { readonly [name in (typeof PRESET_PARAMETERS)[number]]?: string };

export const DEFAULT_SETTINGS: Settings = { model: '', format: 'chat', system: '', maximum: '', temperature: '', topP: '', stop: '', effort: 'default', tools: '' };

/** Servers and proxies accept addresses of at least this length. */
export const MAX_LINK_CHARACTERS = 6_000;

export function presetOf({ model, format, system, maximum, temperature, topP, stop, effort, tools }: Settings, compare: string | null): Preset {
  return { model, format, system, maximum, temperature, top_p: topP, stop, effort: effort === 'default' ? '' : effort, tools, compare: compare ?? '' };
}

/** Address that opens the playground with the settings; `null` if they are too long for an address. */
export function linkTo(origin: string, preset: Preset): string | null {
  const given = Object.entries(preset).filter(([, text]) => text !== '');
  const link = `${origin}/dashboard/playground?${new URLSearchParams(given).toString()}`;
  return link.length > MAX_LINK_CHARACTERS ? null : link;
}

function effortOf(text: string | undefined): Effort {
  return EFFORTS.find((effort) => effort === text) ?? 'default';
}

/** Settings with the given model, which the caller chooses among those that are offered. An unknown format or effort is ignored. */
export function settingsFrom({ format, system, maximum, temperature, top_p: topP, stop, effort, tools }: Preset, model: string): Settings {
  const given = { system, maximum, temperature, topP, stop, tools };
  const texts = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<Settings>;
  return { ...DEFAULT_SETTINGS, ...texts, model, format: FORMATS.find((known) => known === format) ?? 'chat', effort: effortOf(effort) };
}
