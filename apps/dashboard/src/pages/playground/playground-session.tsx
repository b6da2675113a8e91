import { Drawer, SegmentedControl } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { CodeXml, Columns2, Eraser, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { common } from '#texts/common';
import { playground as texts } from '#texts/playground';
import { useRoute } from '../../api/use-route';
import { CopyButton } from '../../components/copy-button';
import { Dialog } from '../../components/dialog';
import { Page } from '../../components/page';
import { SnippetTabs, snippetsFor } from '../../components/snippets';
import { useMe } from '../../session/person';
import { ConversationArea } from './conversation-area';
import { ConversationCost } from './conversation-cost';
import { requestOf, type Turn } from './conversation';
import { CostTable } from './cost-table';
import { HeadButton } from './head-button';
import type { KeptSession } from './kept-session';
import type { OfferedModel } from './model-order';
import classes from './playground.module.css';
import { linkTo, presetOf } from './preset';
import { SettingsPanel } from './settings-panel';
import type { Lane } from './use-lane';
import { type Playground, usePlayground } from './use-playground';

/** Turns that the shown code sends. A reply at the end is left out, because the code is the request for it. */
function turnsAsCode({ turns, next }: Lane): readonly Turn[] {
  return next === null ? turns.filter((turn, index) => turn.role === 'user' || index < turns.length - 1) : [...turns, next];
}

function Settings({ models, playground: { lanes: [first, second], isComparing } }: { readonly models: readonly OfferedModel[]; readonly playground: Playground }) {
  const [of, setOf] = useState<'first' | 'second'>('first');
  const { settings, change } = isComparing && of === 'second' ? second : first;
  const link = linkTo(window.location.origin, presetOf(first.settings, isComparing ? second.settings.model : null));
  return (
    <>
      {isComparing && <SegmentedControl aria-label={texts.settingsOf} value={of} onChange={setOf} data={[{ value: 'first', label: texts.firstModel }, { value: 'second', label: texts.secondModel }]} />}
      <SettingsPanel settings={settings} models={models} onChange={change} />
      {link === null ? <p className={classes['small']}>{texts.linkTooLong}</p> : <CopyButton text={link} label={texts.copyLink} />}
    </>
  );
}

interface SessionProps {
  readonly models: readonly OfferedModel[];
  readonly begin: Omit<KeptSession, 'search'>;
}

export function PlaygroundSession({ models, begin }: SessionProps) {
  const { settings: { api_url: apiUrl } } = useMe();
  const account = useRoute('account', {});
  const playground = usePlayground(begin);
  const { lanes: [first], shown, isComparing, isAnswering, draft, stop, clear, compareWith, endComparison } = playground;
  const [settingsOpen, { open: openSettings, close: closeSettings }] = useDisclosure(false);
  const [codeOpen, { open: openCode, close: closeCode }] = useDisclosure(false);
  useHotkeys([['Escape', () => { if (isAnswering) stop(); }]], []);
  const other = models.find(({ id, in_plan: inPlan }) => inPlan && id !== first.settings.model);
  const isEmpty = draft.text === '' && shown.every(({ turns }) => turns.length === 0);
  const panel = <Settings models={models} playground={playground} />;
  return (
    <Page
      title={texts.title}
      action={<>
        <HeadButton icon={SlidersHorizontal} label={texts.settings} className={classes['narrow'] ?? ''} onClick={openSettings} />
        {isComparing && <HeadButton icon={Columns2} label={texts.endComparison} onClick={endComparison} />}
        {!isComparing && other !== undefined && <HeadButton icon={Columns2} label={texts.compare} disabled={isAnswering} onClick={() => compareWith(other.id)} />}
        <HeadButton icon={CodeXml} label={texts.copyAsCode} onClick={openCode} />
        <HeadButton icon={Eraser} label={texts.clear} disabled={isEmpty} onClick={clear} />
      </>}
    >
      <div className={classes['split']}>
        <ConversationArea models={models} playground={playground} />
        <section className={classes['side']} aria-label={texts.settings}>
          <div className={classes['wide']}>{panel}</div>
          {!isComparing && <CostTable turn={first.current} ended={first.ended} promptTokens={first.promptTokens} model={models.find(({ id }) => id === (first.current?.model ?? first.settings.model))} available={account.data?.balance.available} />}
          <ConversationCost lanes={shown} />
        </section>
      </div>
      <Drawer opened={settingsOpen} onClose={closeSettings} title={texts.settings} closeButtonProps={{ 'aria-label': common.close }}>{panel}</Drawer>
      <Dialog opened={codeOpen} onClose={closeCode} title={texts.codeTitle} size="lg">{codeOpen && <SnippetTabs snippets={snippetsFor(requestOf(first.settings, turnsAsCode(first), apiUrl))} />}</Dialog>
    </Page>
  );
}
