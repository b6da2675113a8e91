import { Box, Code, Tabs } from '@mantine/core';
import { useState } from 'react';
import { snippets as texts } from '#texts/snippets';
import { CopyButton } from '../copy-button';
import type { Snippet } from './request';
import tabList from '../tab-list.module.css';
import classes from './snippets.module.css';

interface SnippetTabsProps {
  readonly snippets: readonly Snippet[];
  /** Id of the open tab if the page controls it; if absent, the component keeps its own. */
  readonly value?: string | undefined;
  readonly onValue?: (id: string) => void;
}

export function SnippetTabs({ snippets, value, onValue }: SnippetTabsProps) {
  const [own, setOwn] = useState<string>();
  const wanted = value ?? own;
  const open = snippets.find(({ id }) => id === wanted) ?? snippets[0];
  if (open === undefined) return null;
  return (
    <Tabs value={open.id} onChange={(id) => { if (id !== null) (onValue ?? setOwn)(id); }} keepMounted={false}>
      <Tabs.List className={tabList['tabs'] ?? ''} aria-label={texts.clients}>
        {snippets.map(({ id, title }) => <Tabs.Tab key={id} value={id} className={classes['tab'] ?? ''}>{title}</Tabs.Tab>)}
      </Tabs.List>
      {snippets.map((snippet) => <Tabs.Panel key={snippet.id} value={snippet.id}><SnippetCode snippet={snippet} /></Tabs.Panel>)}
    </Tabs>
  );
}

export function SnippetCode({ snippet: { install, file, code } }: { readonly snippet: Snippet }) {
  return (
    <div className={classes['snippet']}>
      {install !== null && <div className={classes['head']}><Code className={classes['install'] ?? ''}>{install}</Code><CopyButton text={install} label={texts.copyInstall} size="compact-xs" /></div>}
      <div className={classes['head']}>
        <span className="muted">{file === null ? texts.inTerminal : texts.inFile(file)}</span>
        <CopyButton text={code} label={texts.copyCode} />
      </div>
      <Box component="section" className={classes['code'] ?? ''} tabIndex={0} aria-label={texts.code}><pre>{code}</pre></Box>
    </div>
  );
}
