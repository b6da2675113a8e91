import { Button, Drawer } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { common } from '#texts/common';
import { playground as texts } from '#texts/playground';
import type { Reply } from '../../api/call';
import { useRoute } from '../../api/use-route';
import { Amount } from '../../components/amount';
import { Dialog } from '../../components/dialog';
import { EmptyState } from '../../components/empty-state';
import { Page } from '../../components/page';
import { Part } from '../../components/part';
import { SnippetTabs, snippetsFor } from '../../components/snippets';
import { useMe } from '../../session/person';
import { AnsweringStatus } from './answering-status';
import { Composer, type Draft, EMPTY_DRAFT, turnOf } from './composer';
import { type ModelTurn, requestOf, type Settings } from './conversation';
import { CostTable } from './cost-table';
import classes from './playground.module.css';
import { RefusalNote } from './refusal-note';
import { FORMATS } from './reply';
import { SettingsPanel, settingsProblems } from './settings-panel';
import { TurnView } from './turn-view';
import { useConversation } from './use-conversation';
import { useEndedCharge } from './use-ended-charge';
import { countableOf, useEstimate, usePromptTokens } from './use-estimate';
import { useFollowing } from './use-following';
import { useWait } from './use-wait';

type Models = Reply<'listModels'>['data'];

function Estimate({ estimate }: { readonly estimate: Reply<'countPlayground'> | undefined }) {
  if (estimate === undefined) return null;
  if (!estimate.covered) return <span className={classes['problem']}>{texts.uncovered} <Amount value={estimate.reserved.svc_tokens} />.</span>;
  return <span className={classes['small']}>{texts.estimate(estimate.prompt_tokens)} <Amount value={estimate.reserved.svc_tokens} /> {texts.forRequest}</span>;
}

function Session({ models, begin }: { readonly models: Models; readonly begin: Pick<Settings, 'model' | 'format'> & { readonly text: string } }) {
  const { settings: { api_url: apiUrl } } = useMe();
  const account = useRoute('account', {});
  const conversation = useConversation(apiUrl);
  const [settings, setSettings] = useState<Settings>({ system: '', maximum: '', temperature: '', effort: 'default', tools: '', model: begin.model, format: begin.format });
  const [draft, setDraft] = useState<Draft>({ ...EMPTY_DRAFT, text: begin.text });
  const [sent, setSent] = useState<string | null>(null);
  const [settingsOpen, { open: openSettings, close: closeSettings }] = useDisclosure(false);
  const [codeOpen, { open: openCode, close: closeCode }] = useDisclosure(false);
  const { turns, isAnswering, refusal, stop } = conversation;
  const wait = useWait(conversation.retryAt);
  const last = turns.findLast((turn): turn is ModelTurn => turn.role === 'model');
  // A sent request has no model turn before its reply begins.
  const current = isAnswering && turns.at(-1)?.role === 'user' ? undefined : last;
  const calls = turns.at(-1)?.role === 'model' && !isAnswering ? last?.reply.toolCalls ?? [] : [];
  const next = turnOf(draft, calls);
  const isValid = Object.keys(settingsProblems(settings)).length === 0;
  const estimate = useEstimate(next !== null && isValid && !isAnswering ? countableOf(settings, [...turns, next]) : null);
  const sentPrompt = usePromptTokens(sent);
  const ended = useEndedCharge(current);
  const { log, onScroll, follow } = useFollowing();
  useHotkeys([['Escape', () => { if (isAnswering) stop(); }]], []);
  const send = async () => {
    if (next === null) return;
    follow();
    setSent(countableOf(settings, [...turns, next]));
    setDraft(EMPTY_DRAFT);
    if (await conversation.send(next, settings)) return;
    setSent(sent);
    setDraft(draft);
  };
  const clear = () => {
    conversation.clear();
    setSent(null);
    setDraft(EMPTY_DRAFT);
  };
  const panel = <SettingsPanel settings={settings} models={models} onChange={(change) => setSettings({ ...settings, ...change })} />;
  const codeOf = () => snippetsFor(requestOf(settings, next === null ? turns.filter((turn, index) => turn.role === 'user' || index < turns.length - 1) : [...turns, next], apiUrl));
  return (
    <Page
      title={texts.title}
      action={<><Button variant="default" className={classes['narrow']} onClick={openSettings}>{texts.settings}</Button><Button variant="default" onClick={openCode}>{texts.copyAsCode}</Button><Button variant="default" disabled={turns.length === 0} onClick={clear}>{texts.clear}</Button></>}
    >
      <div className={classes['split']}>
        <div className={classes['main']}>
          <div className={classes['log']} ref={log} onScroll={onScroll} role="log" aria-live="off" aria-label={texts.conversation} tabIndex={turns.length === 0 ? undefined : 0}>
            {turns.length === 0 && (
              <EmptyState
                title={texts.begin}
                action={<div className={classes['prompts']}>{texts.prompts.map((prompt) => <Button key={prompt} variant="default" className={classes['prompt']} onClick={() => setDraft({ ...draft, text: prompt })}>{prompt}</Button>)}</div>}
              />
            )}
            {turns.map((turn, index) => <TurnView key={index} turn={turn} />)}
          </div>
          <AnsweringStatus turn={current} isAnswering={isAnswering} />
          <RefusalNote refusal={refusal} wait={wait} />
          <Composer draft={draft} calls={calls} isAnswering={isAnswering} wait={wait} canSend={next !== null && isValid} onChange={setDraft} onSend={() => void send()} onStop={stop} />
          <Estimate estimate={estimate} />
        </div>
        <section className={classes['side']} aria-label={texts.settings}>
          <div className={classes['wide']}>{panel}</div>
          <CostTable turn={current} ended={ended} promptTokens={sent === null ? estimate?.prompt_tokens : sentPrompt} model={models.find(({ id }) => id === (current?.model ?? settings.model))} available={account.data?.balance.available.svc_tokens} />
        </section>
      </div>
      <Drawer opened={settingsOpen} onClose={closeSettings} title={texts.settings} closeButtonProps={{ 'aria-label': common.close }}>{panel}</Drawer>
      <Dialog opened={codeOpen} onClose={closeCode} title={texts.codeTitle} size="lg">{codeOpen && <SnippetTabs snippets={codeOf()} />}</Dialog>
    </Page>
  );
}

export function PlaygroundPage() {
  const search = useSearch({ from: '/shell/playground' });
  const models = useRoute('listModels', {});
  return (
    <Part query={models} height={480}>
      {({ data }) => {
        const offered = data.filter(({ in_plan: inPlan }) => inPlan);
        const model = offered.find(({ id }) => id === search.model) ?? offered[0];
        if (model === undefined) return <Page title={texts.title}><EmptyState title={texts.noModels} /></Page>;
        return <Session models={data} begin={{ model: model.id, format: FORMATS.find((format) => format === search.format) ?? 'chat', text: search.try === undefined ? '' : texts.prompts[0] }} />;
      }}
    </Part>
  );
}
