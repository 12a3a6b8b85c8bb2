// What the disk's error codes mean, for messages of whatever writes files.

const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: 'the folder does not exist',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  EFBIG: 'the limit of a file is reached (see ulimit -f)',
  ENOTDIR: 'a file stands where a folder should be',
  EEXIST: 'a file, or a link that leads nowhere, stands where a folder should be',
  EISDIR: 'a folder stands where a file should be',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
};

/** Why a file was not written, by the system's error code; the code itself if it is another. */
export const diskRefusal = (code: string): string => MEANINGS[code] ?? code;

const MISNAMED = ['ENOTDIR', 'EEXIST', 'EISDIR', 'ELOOP', 'ENAMETOOLONG'];

/** Whether nothing can be written under that name: the next run would meet it again. */
export const isMisnamed = (code: string): boolean => MISNAMED.includes(code);

/** The same for a file, whose folder must be there. */
export const isMisnamedFile = (code: string): boolean => code === 'ENOENT' || isMisnamed(code);

const FULL = ['ENOSPC', 'EDQUOT'];

/** What to do about a file that was not written, by the system's error code. */
export const diskAdvice = (code: string): string =>
  FULL.includes(code) ? 'make room for it' : 'put that right';

const SOCKET_CODES = ['EPIPE', 'ECONNRESET'];

/** Whether the disk took no more of a file. A lost connection has the same system call. */
export const isUnwritten = ({ code = '', syscall = '' }: NodeJS.ErrnoException): boolean =>
  ['write', 'fsync'].includes(syscall) && !SOCKET_CODES.includes(code);
