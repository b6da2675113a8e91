import type { ReactNode, SVGProps } from 'react';

type IconProps = SVGProps<SVGSVGElement> & { readonly size?: number };

/** Hidden from screen readers: the button or text beside it has the name. */
function icon(path: ReactNode) {
  return function Icon({ size = 16, ...props }: IconProps) {
    return (
      <svg width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth={1.5} strokeLinecap="round" strokeLinejoin="round" aria-hidden="true" {...props}>
        {path}
      </svg>
    );
  };
}

export const SearchIcon = icon(<><circle cx="7" cy="7" r="4.5" /><path d="m10.5 10.5 3.5 3.5" /></>);
export const PersonIcon = icon(<><circle cx="8" cy="5.5" r="2.75" /><path d="M2.5 14c.6-3 2.8-4.5 5.5-4.5s4.9 1.5 5.5 4.5" /></>);
export const CopyIcon = icon(<><rect x="5.5" y="5.5" width="8" height="8" rx="1.5" /><path d="M10.5 5.500V4A1.500 1.500 0 0 0 9 2.500H4A1.500 1.500 0 0 0 2.500 4v5A1.500 1.500 0 0 0 4 10.500h1.500" /></>);
export const CheckIcon = icon(<path d="m3 8.500 3.500 3.500L13 4.500" />);
export const CloseIcon = icon(<path d="m4 4 8 8M12 4l-8 8" />);
export const DownIcon = icon(<path d="m4 6 4 4 4-4" />);
export const RightIcon = icon(<path d="m6 4 4 4-4 4" />);
export const InfoIcon = icon(<><circle cx="8" cy="8" r="6" /><path d="M8 7.500v3.500M8 5v.1" /></>);
export const DownloadIcon = icon(<path d="M8 2.500v7.500m0 0 3-3m-3 3-3-3M3 13.500h10" />);
export const MoreIcon = icon(<path d="M3.500 8h.01M8 8h.01M12.500 8h.01" strokeWidth={2.5} />);
export const StopIcon = icon(<rect x="4" y="4" width="8" height="8" rx="1" />);
export const ColumnsIcon = icon(<><rect x="2.5" y="2.5" width="11" height="11" rx="1.5" /><path d="M6.200 2.500v11M9.800 2.500v11" /></>);
export const FilterIcon = icon(<path d="M2 4h12M4.500 8h7M6.500 12h3" />);
