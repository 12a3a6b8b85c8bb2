// The command completion: a script for a shell, written from the tree of commands. It runs nothing while a person types.
import type { Command, Option } from 'commander';
import { UsageError } from '../base/errors.ts';
import { meantText } from '../base/similar.ts';
import { command as newCommand, type Shared } from './options.ts';
import { print, printJson } from './print.ts';

/** A place on the command line: the words up to it, what may follow, and the choices of its options. */
type Spot = {
  readonly path: string;
  readonly commands: readonly Command[];
  readonly options: readonly Option[];
};

const spotsBelow = (command: Command, path: string, shared: readonly Option[]): Spot[] => [
  { path, commands: command.commands, options: [...command.options, ...(path === '' ? [] : shared)] },
  ...command.commands.flatMap((inner) => spotsBelow(inner, `${path} ${inner.name()}`.trim(), shared)),
];

const spotsOf = (main: Command): Spot[] => {
  const shared = main.options.filter(({ long }) => long !== '--version');
  return spotsBelow(main, '', shared);
};

const longOf = ({ long }: Option): string[] => (long ? [long] : []);

const wordsOf = ({ commands, options }: Spot): string =>
  [...commands.map((command) => command.name()), ...options.flatMap(longOf), '--help'].join(' ');

const choicesOf = (spots: readonly Spot[]): [string, string][] =>
  spots.flatMap(({ path, options }) =>
    options.flatMap((option): [string, string][] =>
      option.argChoices ? [[`${path} ${option.long}`, option.argChoices.join(' ')]] : [],
    ),
  );

const takesFile = ({ required, argChoices, flags }: Option): boolean =>
  required && !argChoices && /<(file|dir|folder)>/.test(flags);

const cases = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([path, words]) => `    '${path}') echo '${words}' ;;`).join('\n');

const bashOf = (spots: readonly Spot[]): string => {
  const files = spots.flatMap(({ path, options }) =>
    options.filter(takesFile).map(({ long }): [string, string] => [`${path} ${long}`, '-']),
  );
  return `# Completion of tieout for bash.
_tieout_words() {
  case "$1" in
${cases(spots.map((spot): [string, string] => [spot.path, wordsOf(spot)]))}
  esac
}
_tieout_values() {
  case "$1" in
${cases([...choicesOf(spots), ...files])}
  esac
}
_tieout() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path='' next word values
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    next="\${path:+$path }$word"
    case "$word" in -*) ;; *) [ -n "$(_tieout_words "$next")" ] && path="$next" ;; esac
  done
  values="$(_tieout_values "$path $previous")"
  if [ "$values" = - ]; then COMPREPLY=($(compgen -f -- "$current")); return; fi
  COMPREPLY=($(compgen -W "\${values:-$(_tieout_words "$path")}" -- "$current"))
}
complete -F _tieout tieout
`;
};

const zshOf = (spots: readonly Spot[]): string =>
  `# Completion of tieout for zsh.\nautoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashOf(spots)}`;

const fishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const fishOf = (spots: readonly Spot[]): string => {
  const lines = spots.flatMap((spot) => {
    const here = `complete -c tieout -n ${fishText(`__tieout_at '${spot.path}'`)}`;
    return [
      ...spot.commands.map((inner) => `${here} -f -a ${inner.name()} -d ${fishText(inner.description())}`),
      ...spot.options.flatMap((option) => {
        if (!option.long) return [];
        const values = option.argChoices ? ` -x -a ${fishText(option.argChoices.join(' '))}` : '';
        const files = takesFile(option) ? ' -r -F' : '';
        return [`${here} -l ${option.long.slice(2)} -d ${fishText(option.description)}${values}${files}`];
      }),
    ];
  });
  const paths = spots.flatMap(({ path }) => (path === '' ? [] : [fishText(path)]));
  return `# Completion of tieout for fish.
function __tieout_at
  set -l path
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$path $word")
    contains -- $next ${paths.join(' ')}; and set path $next
  end
  test "$path" = "$argv[1]"
end
complete -c tieout -f
${lines.join('\n')}
`;
};

const SHELLS = { bash: bashOf, zsh: zshOf, fish: fishOf } as const;

const isShell = (name: string): name is keyof typeof SHELLS => Object.hasOwn(SHELLS, name);

export const completionCommand = (): Command =>
  newCommand(
    'completion',
    'print the script that completes commands and options in your shell',
    `npx tieout completion bash >> ~/.bashrc
  npx tieout completion zsh >> ~/.zshrc
  npx tieout completion fish > ~/.config/fish/completions/tieout.fish`,
  )
    .argument('<shell>', 'bash, zsh or fish')
    .action((shell: string, options: Shared, command: Command) => {
      if (!isShell(shell))
        throw new UsageError(
          `unknown shell '${shell}': choose bash, zsh or fish.${meantText(shell, Object.keys(SHELLS))}`,
        );
      const script = SHELLS[shell](spotsOf(command.parent ?? command));
      if (options.json) printJson({ shell, script });
      else print(script.trimEnd());
    });
