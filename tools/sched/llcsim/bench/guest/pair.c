// SPDX-License-Identifier: GPL-2.0-only
/*
 * pair loopback|socketpair MS [BYTES]: a client and a server, two processes, send
 * BYTES to and fro and look at every line of them.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "bench.h"

enum { MAX_BYTES = 1 << 16 };

static char data[MAX_BYTES];

static int pass_all(int fd, int bytes, int sending)
{
	for (int done = 0; done < bytes;) {
		ssize_t n = sending ? write(fd, data + done, bytes - done) :
				      read(fd, data + done, bytes - done);

		if (n <= 0)
			return 0;
		done += n;
	}
	return 1;
}

static void look(int bytes)
{
	for (int i = 0; i < bytes; i += 64)
		data[i]++;
}

static int serve(int fd, int bytes)
{
	while (pass_all(fd, bytes, 0)) {
		look(bytes);
		if (!pass_all(fd, bytes, 1))
			break;
	}
	return 0;
}

static int connect_loopback(int *client, int *server)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	int one = 1, door = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t len = sizeof(at);

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(door, (struct sockaddr *)&at, len) || listen(door, 1) ||
	    getsockname(door, (struct sockaddr *)&at, &len))
		return 0;
	*client = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(*client, (struct sockaddr *)&at, len))
		return 0;
	*server = accept(door, NULL, NULL);
	setsockopt(*client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(*server, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return *server >= 0;
}

int main(int argc, char **argv)
{
	int ms = argument(argc, argv, 2, 100), bytes = argument(argc, argv, 3, 1024), fd[2];
	u64 begin, trips = 0;
	pid_t server;

	if (argc < 2 || bytes < 1 || bytes > MAX_BYTES)
		return 2;
	if (!strcmp(argv[1], "loopback") ? !connect_loopback(&fd[0], &fd[1]) :
	    socketpair(AF_UNIX, SOCK_STREAM, 0, fd)) {
		perror(argv[1]);
		return 1;
	}
	server = fork();
	if (!server) {
		close(fd[0]);
		return serve(fd[1], bytes);
	}
	close(fd[1]);
	for (begin = now(); now() < begin + ms * NSEC_PER_MSEC; trips++) {
		look(bytes);
		if (!pass_all(fd[0], bytes, 1) || !pass_all(fd[0], bytes, 0))
			break;
	}
	printf("trips/ms %.2f\n", trips * 1e6 / (now() - begin));
	close(fd[0]);
	waitpid(server, NULL, 0);
	return 0;
}
