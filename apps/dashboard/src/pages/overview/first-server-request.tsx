import { Code } from '@mantine/core';
import { overview as texts } from '#texts/overview';
import { CopyButton } from '../../components/copy-button';
import { SnippetTabs, snippetsFor } from '../../components/snippets';
import { useMe } from '../../session/person';
import classes from './overview.module.css';

/** Clients for a server, the most common first. */
const CLIENTS = ['openai-js', 'openai-python', 'curl'] as const;
/** A placeholder: the secret is shown only when the key is created. */
const VARIABLE = 'export KEY=sk-…';

/** Code for the customer's own server, which reads the key from its environment. */
export default function FirstServerRequest({ model }: { readonly model: string }) {
  const { settings: { api_url: baseUrl } } = useMe();
  const all = snippetsFor({ baseUrl, model, format: 'chat' });
  return (
    <div className={classes['first']}>
      <div className={classes['variable']}><Code>{VARIABLE}</Code><CopyButton text={VARIABLE} label={texts.start.copyVariable} size="compact-xs" /></div>
      <SnippetTabs snippets={CLIENTS.flatMap((client) => all.filter(({ id }) => id === client))} />
    </div>
  );
}
