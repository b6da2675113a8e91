import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { models as texts } from '#texts/models';
import { Card } from '../../components/card';
import { agentSnippets, type Snippet, snippetsFor, SnippetTabs } from '../../components/snippets';
import { useMe } from '../../session/person';
import { KeyPicker } from './key-picker';
import { codexNameOf, type Model } from './model-facts';

interface ModelSnippetsProps {
  readonly model: Model;
  /** Models for resolving aliases. */
  readonly models: readonly Model[];
}

type Format = keyof typeof texts.formats;
const FORMATS = Object.entries(texts.formats).map(([value, label]) => ({ value: value as Format, label }));

function snippetsOf(format: Format, { model, models }: ModelSnippetsProps, baseUrl: string): readonly Snippet[] {
  if (format === 'agents') return agentSnippets({ baseUrl, model: model.id, codexModel: codexNameOf(model, models), contextWindow: model.context_window, maxOutputTokens: model.max_output_tokens });
  return snippetsFor({ baseUrl, model: model.id, format }).map((snippet) => ({ ...snippet, id: `${format}.${snippet.id}` }));
}

function formatOf(snippet: string | undefined): Format {
  const [format] = (snippet ?? '').split('.');
  return FORMATS.find(({ value }) => value === format)?.value ?? 'chat';
}

/** Code that uses the model at this installation's address. The URL names the open tab. */
export function ModelSnippets({ model, models }: ModelSnippetsProps) {
  const { settings: { api_url: baseUrl } } = useMe();
  const { snippet } = useSearch({ from: '/shell/models/$id' });
  const navigate = useNavigate();
  const [key, setKey] = useState<string | null>(null);
  const format = formatOf(snippet);
  const open = (id: string) => void navigate({ to: '/models/$id', params: { id: model.id }, search: { snippet: id }, replace: true, resetScroll: false });
  const prefixed = (id: string) => (format === 'agents' ? `agents.${id}` : id);
  return (
    <Card title={texts.snippets} aside={<SegmentedControl size="xs" aria-label={texts.format} data={FORMATS} value={format} onChange={open} />}>
      <KeyPicker model={model.id} value={key} onChange={setKey} />
      <SnippetTabs snippets={snippetsOf(format, { model, models }, baseUrl)} value={format === 'agents' ? snippet?.replace('agents.', '') : snippet} onValue={(id) => open(prefixed(id))} />
    </Card>
  );
}
