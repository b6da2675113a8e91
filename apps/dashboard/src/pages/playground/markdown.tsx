import { Box, Code } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { playground as texts } from '#texts/playground';
import { CopyButton } from '../../components/copy-button';
import { shown } from '../../format/shown';
import classes from './markdown.module.css';
import { blocksOf, safeLink } from './markdown-blocks';

interface TextNode {
  readonly type: string;
  value?: string;
  readonly children?: readonly TextNode[];
}

/** Shows hidden characters. The renderer needs a plug-in for this, because its elements do not pass through the dashboard's JSX runtime. */
function showHidden() {
  const visit = (node: TextNode): void => {
    if (node.type === 'text' && node.value !== undefined) node.value = shown(node.value);
    node.children?.forEach(visit);
  };
  return visit;
}

function textIn(children: ReactNode): string {
  if (typeof children === 'string') return children;
  return Array.isArray(children) ? children.map((child: ReactNode) => textIn(child)).join('') : '';
}

function CodeBlock({ language, code }: { readonly language: string; readonly code: string }) {
  return (
    <figure className={classes['code']}>
      <figcaption><span>{language}</span><CopyButton text={code} variant="subtle" /></figcaption>
      <Code block tabIndex={0} className={classes['lines'] ?? ''}>{code}</Code>
    </figure>
  );
}

/** Headings of a reply have a lower level than those of the page. Pictures are links, so that a reply loads nothing. */
const COMPONENTS: Components = {
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  h4: ({ children }) => <h4>{children}</h4>,
  h5: ({ children }) => <h4>{children}</h4>,
  h6: ({ children }) => <h4>{children}</h4>,
  a: ({ href, children }) => (href === undefined || href === '' ? <>{children}</> : <a href={href} target="_blank" rel="noopener noreferrer">{children}</a>),
  img: ({ src, alt }) => (typeof src === 'string' && src !== '' ? <a href={src} target="_blank" rel="noopener noreferrer">{alt === undefined || alt === '' ? src : alt}</a> : <>{alt}</>),
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children }) => {
    const code = textIn(children);
    // Inline code has no line break at its end.
    return className === undefined && !code.endsWith('\n') ? <code>{children}</code> : <CodeBlock language={(className ?? '').replace('language-', '')} code={code.replace(/\n$/, '')} />;
  },
  table: ({ children }) => <Box component="section" className={classes['table'] ?? ''} tabIndex={0} aria-label={texts.table}><table>{children}</table></Box>,
  th: ({ children }) => <th scope="col">{children}</th>,
  td: ({ children }) => <td>{children}</td>,
  input: ({ checked }) => <><span aria-hidden="true">{checked === true ? '☑' : '☐'}</span><span className="visually-hidden">{checked === true ? texts.done : texts.toDo}</span></>,
};

const OPTIONS: Options = { remarkPlugins: [remarkGfm], rehypePlugins: [showHidden], components: COMPONENTS, urlTransform: safeLink };

const Block = memo(({ text }: { readonly text: string }) => <ReactMarkdown {...OPTIONS}>{text}</ReactMarkdown>);

/** Shows HTML in the text as text. While the text grows, only its last block is parsed again. */
export function Markdown({ text, isGrowing }: { readonly text: string; readonly isGrowing: boolean }) {
  const blocks = isGrowing ? blocksOf(text) : [text];
  return <div className={classes['markdown']}>{blocks.map((block, index) => <Block key={index} text={block} />)}</div>;
}
