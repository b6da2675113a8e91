import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { NavigationLink } from '../components/link';
import classes from './navigation.module.css';

interface PageLinksProps {
  readonly groups: readonly { readonly name: string | null; readonly pages: readonly (readonly [to: string, label: string, icon: LucideIcon, ...rest: unknown[]])[] }[];
  /** Called when a page is chosen, for example to close a drawer. */
  readonly onChosen: (() => void) | undefined;
}

export function PageLinks({ groups, onChosen }: PageLinksProps) {
  return groups.map(({ name, pages }) => (
    <div key={name ?? ''} className={classes['group']}>
      {name !== null && <div className={classes['title']}>{name}</div>}
      {pages.map(([to, label, Icon]) => (
        <NavigationLink
          key={to} to={to as ComponentProps<typeof NavigationLink>['to']} label={label} leftSection={<Icon size={17} strokeWidth={1.8} aria-hidden="true" />} onClick={onChosen}
          activeProps={{ 'aria-current': 'page' }} className={classes['link']}
        />
      ))}
    </div>
  ));
}
