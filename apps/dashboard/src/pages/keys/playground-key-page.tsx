import { playgroundKey as texts } from '#texts/key-names';
import { Card } from '../../components/card';
import { CopyId } from '../../components/copy-id';
import { ButtonLink, TextLink } from '../../components/link';
import { Page } from '../../components/page';
import { KeySpend } from './key-spend';
import facts from '../../components/facts.module.css';
import classes from './keys.module.css';

/** The key that pays for the playground. It is in no list and cannot be changed. */
export function PlaygroundKeyPage({ id }: { readonly id: string }) {
  const actions = (
    <div className={classes['actions']}>
      <ButtonLink variant="default" to="/usage" search={{ key_id: id }}>{texts.requests}</ButtonLink>
      <ButtonLink variant="default" to="/playground">{texts.open}</ButtonLink>
    </div>
  );
  return (
    <Page title={texts.name} action={actions}>
      <div className="in-text"><TextLink to="/keys">{texts.back}</TextLink></div>
      <div className={classes['page']}>
        <Card title={texts.facts}>
          <p>{texts.help}</p>
          <dl className={facts['facts']}><dt>{texts.id}</dt><dd><CopyId id={id} /></dd></dl>
        </Card>
      </div>
      <KeySpend id={id} />
    </Page>
  );
}
