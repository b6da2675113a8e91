import { useSearch } from '@tanstack/react-router';
import { playground as texts } from '#texts/playground';
import { useRoute } from '../../api/use-route';
import { EmptyState } from '../../components/empty-state';
import { Page } from '../../components/page';
import { Part } from '../../components/part';
import { keptConversation } from '../../session/kept-conversation';
import { useMe } from '../../session/person';
import { type KeptSession, readKept } from './kept-session';
import { cheapestFirst, type OfferedModel } from './model-order';
import { PlaygroundSession } from './playground-session';
import { type Preset, settingsFrom } from './preset';

/** The kept session. If the URL has changed since it was kept, or a model is no longer offered, the settings are those of the URL. */
function sessionOf(search: Preset & { readonly try?: string }, offered: readonly [OfferedModel, ...OfferedModel[]], kept: KeptSession | null): Omit<KeptSession, 'search'> {
  const isOffered = (id: string | undefined) => offered.some((model) => model.id === id);
  const text = search.try === undefined ? kept?.text ?? '' : texts.prompts[0];
  if (kept !== null && kept.search === window.location.search && kept.lanes.every(({ settings: { model } }) => isOffered(model))) return { ...kept, text };
  const settings = settingsFrom(search, offered.find(({ id }) => id === search.model)?.id ?? offered[0].id);
  const turns = kept?.lanes[0]?.turns ?? [];
  const compared = search.compare !== undefined && isOffered(search.compare) ? [{ settings: { ...settings, model: search.compare }, turns }] : [];
  return { text, lanes: [{ settings, turns }, ...compared] };
}

export function PlaygroundPage() {
  const search = useSearch({ from: '/shell/playground' });
  const { person: { id: person } } = useMe();
  const models = useRoute('listModels', {});
  return (
    <Part query={models} height={480}>
      {({ data }) => {
        const ordered = cheapestFirst(data);
        const [cheapest, ...others] = ordered.filter(({ in_plan: inPlan }) => inPlan);
        if (cheapest === undefined) return <Page title={texts.title}><EmptyState title={texts.noModels} /></Page>;
        return <PlaygroundSession models={ordered} begin={sessionOf(search, [cheapest, ...others], readKept(keptConversation(person)))} />;
      }}
    </Part>
  );
}
