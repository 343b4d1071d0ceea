// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: texts of unknown origin, as names and arguments of
 * programs are, for terminals, JSON and SVG. They may hold control characters,
 * quotes, and bytes that are no UTF-8.
 */
#include <string.h>

#include "utf8.h"

#define REPLACEMENT	"\xef\xbf\xbd"

/* How many bytes follow the first one; -1 if that cannot be a first one. */
static int nr_following(unsigned char first)
{
	if (first < 0x80)
		return 0;
	if (first >= 0xc2 && first < 0xe0)
		return 1;
	if (first >= 0xe0 && first < 0xf0)
		return 2;
	if (first >= 0xf0 && first < 0xf5)
		return 3;
	return -1;
}

/**
 * utf8_next - look at the next character
 * @text:	not empty
 * @code:	gets its number
 *
 * Returns its length in bytes, or 0 if the next byte is no part of one.
 */
int utf8_next(const char *text, unsigned int *code)
{
	static const unsigned int least[] = { 0, 0x80, 0x800, 0x10000 };
	const unsigned char *byte = (const unsigned char *)text;
	int following = nr_following(*byte);

	if (following < 0)
		return 0;
	*code = *byte & (following ? 0x3f >> following : 0x7f);
	for (int i = 1; i <= following; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (byte[i] & 0x3f);
	}
	if (*code < least[following] || *code > 0x10ffff ||
	    (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return following + 1;
}

static int is_control(unsigned int code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* Puts a "?" for each control character and for each byte that is no UTF-8. */
void utf8_clean(char *text)
{
	char *to = text;
	unsigned int code;
	int length;

	while (*text) {
		length = utf8_next(text, &code);
		if (!length || is_control(code)) {
			*to++ = '?';
			text += length ? length : 1;
			continue;
		}
		memmove(to, text, length);
		to += length;
		text += length;
	}
	*to = '\0';
}

/* With the quotes around it. */
void utf8_print_json(FILE *file, const char *text)
{
	unsigned int code;
	int length;

	fputc('"', file);
	for (; *text; text += length ? length : 1) {
		length = utf8_next(text, &code);
		if (!length)
			fputs(REPLACEMENT, file);
		else if (code == '"' || code == '\\')
			fprintf(file, "\\%c", code);
		else if (is_control(code))
			fprintf(file, "\\u%04x", code);
		else
			fwrite(text, 1, length, file);
	}
	fputc('"', file);
}

/* For text and for attributes in double quotes. */
void utf8_print_xml(FILE *file, const char *text)
{
	unsigned int code;
	int length;

	for (; *text; text += length ? length : 1) {
		length = utf8_next(text, &code);
		if (!length || code == 0xfffe || code == 0xffff)
			fputs(REPLACEMENT, file);
		else if (is_control(code))
			fputc('?', file);
		else if (code == '&')
			fputs("&amp;", file);
		else if (code == '<')
			fputs("&lt;", file);
		else if (code == '>')
			fputs("&gt;", file);
		else if (code == '"')
			fputs("&quot;", file);
		else
			fwrite(text, 1, length, file);
	}
}
