/* SPDX-License-Identifier: GPL-2.0-only */
/* llctop, see llctop.8: runs a command and draws where its threads ran. */
#ifndef LLCTOP_RECORD_H
#define LLCTOP_RECORD_H

int record_main(int argc, char **argv);

#endif /* LLCTOP_RECORD_H */
